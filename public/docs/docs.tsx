import { useEffect, useState } from "preact/hooks";
import mark from "../icon.svg";
import { type Document, entriesOf } from "./document.ts";
import { OperationCard } from "./operation.tsx";
import { Fields } from "./schema.tsx";

export function Docs() {
  const [document_, setDocument] = useState<Document | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [query, setQuery] = useState("");
  useEffect(() => {
    fetch("/api/openapi.json")
      .then((response) => response.json() as Promise<Document>)
      .then(setDocument, () => setHasFailed(true));
  }, []);
  useEffect(openTarget, [document_]);
  useEffect(() => {
    addEventListener("hashchange", openTarget);
    return () => removeEventListener("hashchange", openTarget);
  }, []);
  if (hasFailed) return <main class="page">The description didn't load. Reload the page.</main>;
  if (!document_) return <main class="page" aria-busy="true" />;
  const { info, tags, components } = document_;
  return (
    <div class="docs">
      <header class="stack gap-12 scroll">
        <a class="brand row" href="/">
          <img src={mark} alt="" />
          Snug
        </a>
        <h1>API</h1>
        <p class="muted">
          Version {info.version}. Machine-readable: <a href="/api/openapi.json">openapi.json</a>
        </p>
        <label class="search stack gap-4 small strong">
          Search
          {/* biome-ignore lint/a11y/useSemanticElements: Esc stays the page's, see search-box.tsx */}
          <input
            class="input"
            type="text"
            role="searchbox"
            inputmode="search"
            enterkeyhint="search"
            autocomplete="off"
            value={query}
            placeholder="messages, POST, webhooks"
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && setQuery("")}
          />
        </label>
        <nav aria-label="Sections">
          {tags.map(({ name }) => (
            <a key={name} href={`#${idOf(name)}`}>
              {name}
            </a>
          ))}
          <a href="#schemas">Schemas</a>
        </nav>
      </header>
      <main>
        {query === "" && <Introduction text={info.description} />}
        {tags.map(({ name, description }) => {
          const entries = entriesOf(document_, name, query);
          if (entries.length === 0) return null;
          return (
            <section key={name} id={idOf(name)}>
              <h2>{name}</h2>
              <p class="muted">{description}</p>
              {entries.map((entry) => (
                <OperationCard
                  key={entry.operation.operationId}
                  document={document_}
                  entry={entry}
                />
              ))}
            </section>
          );
        })}
        <section id="schemas">
          <h2>Schemas</h2>
          {Object.entries(components.schemas)
            .filter(([name]) => name.toLowerCase().includes(query.toLowerCase()))
            .map(([name, schema]) => (
              <details key={name} class="operation framed" id={`schema-${name}`}>
                <summary class="row wrap">
                  <code class="path strong">{name}</code>
                </summary>
                <div class="body stack gap-12">
                  <Fields of={schema} />
                </div>
              </details>
            ))}
        </section>
      </main>
    </div>
  );
}

/** Renders paragraphs, headings and lists, the Markdown that the introduction uses. */
function Introduction({ text }: { text: string }) {
  return (
    <section>
      {text.split("\n\n").map((part) => {
        const words = part.replaceAll("`", "");
        if (words.startsWith("## ")) return <h2 key={part}>{words.slice(3)}</h2>;
        if (!words.startsWith("- ")) return <p key={part}>{words}</p>;
        return (
          <ul key={part}>
            {words.split("\n").map((line) => (
              <li key={line}>{line.slice(2)}</li>
            ))}
          </ul>
        );
      })}
    </section>
  );
}

const idOf = (tag: string) => tag.toLowerCase().replaceAll(" ", "-");

/** Expands and scrolls to the element in the address's fragment. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}
