// Fills in the templates of the chart with Go's own engine, which is Helm's: for machines without Helm.
// It reads {"templates": {name: text}, "data": {…}} from standard input.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

func main() {
	var given struct {
		Templates map[string]string
		Data      map[string]any
	}
	check(json.NewDecoder(os.Stdin).Decode(&given))
	for name, text := range given.Templates {
		parsed, err := template.New(name).Option("missingkey=error").Funcs(functions).Parse(text)
		check(err)
		var filled strings.Builder
		check(parsed.Execute(&filled, given.Data))
		fmt.Printf("---\n%s\n", filled.String())
	}
}

// Those of Helm that the templates use; another one is an error. JSON is YAML.
var functions = template.FuncMap{
	"quote": func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
	"default": func(instead, value any) any {
		if value == nil || value == "" {
			return instead
		}
		return value
	},
	"toYaml": func(value any) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	},
	"nindent": func(spaces int, text string) string {
		indent := "\n" + strings.Repeat(" ", spaces)
		return indent + strings.ReplaceAll(text, "\n", indent)
	},
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
