import type { Content, Document, Entry, Schema } from "./document.ts";
import { nameOf } from "./document.ts";
import { Fields, TypeName } from "./schema.tsx";

/** One thing that can be called: what it takes, what it answers, and a line to try it with. */
export function OperationCard({ document, entry }: { document: Document; entry: Entry }) {
  const { method, path, operation } = entry;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return (
    <details class="operation" id={operationId}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span>
        <code class="path">{path}</code>
        <span class="summary muted">{summary}</span>
      </summary>
      <div class="body">
        {description?.split("\n\n").map((line) => (
          <p key={line}>{plain(line)}</p>
        ))}
        {parameters.length > 0 && (
          <section>
            <h4>Parameters</h4>
            <dl class="fields">
              {parameters.map(({ name, in: place, required, description: words, schema }) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code>
                    <span class="muted small">
                      {" "}
                      {place}
                      {!required && ", optional"}
                    </span>
                  </dt>
                  <dd>
                    <TypeName of={schema} /> <span class="muted">{words}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {requestBody && (
          <section>
            <h4>Body</h4>
            <Bodies document={document} content={requestBody.content} />
          </section>
        )}
        <section>
          <h4>Answers</h4>
          <dl class="fields">
            {Object.entries(responses).map(([status, answer]) => (
              <div key={status}>
                <dt>
                  <code>{status}</code>
                </dt>
                <dd>
                  {plain(answer.description)} <Types content={answer.content} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h4>Try it</h4>
          <pre>{curl(document, entry)}</pre>
        </section>
      </div>
    </details>
  );
}

function Bodies({ document, content }: { document: Document; content: Content }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema }]) => (
        <div key={type}>
          <p class="muted small">{type}</p>
          <Fields of={resolve(document, schema ?? {})} />
        </div>
      ))}
    </>
  );
}

function Types({ content }: { content: Content | undefined }) {
  if (!content) return null;
  return (
    <>
      {Object.entries(content).map(([type, { schema }]) => (
        <span key={type} class="muted small">
          {type === "application/problem+json" ? null : <TypeName of={schema} />}
        </span>
      ))}
    </>
  );
}

function resolve(document: Document, schema: Schema): Schema {
  const name = nameOf(schema);
  return name ? (document.components.schemas[name] ?? {}) : schema;
}

/** A line for a terminal, with what is to be filled in. */
function curl(document: Document, { method, path, operation }: Entry): string {
  const address =
    (document.servers[0]?.url ?? "") +
    path.replace(/{(\w+)}/g, (_, name) => `$${name.toUpperCase()}`);
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`];
  const isPublic = operation.security?.length === 0;
  if (!isPublic) lines.push(`-H "Authorization: Bearer $SNUG_TOKEN"`);
  const content = operation.requestBody?.content ?? {};
  if ("multipart/form-data" in content) lines.push(`-F "file=@picture.png"`);
  else if ("application/json" in content) {
    const schema = resolve(document, content["application/json"]?.schema ?? {});
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(sample(document, schema))}'`,
    );
  }
  return lines.join(" \\\n  ");
}

function sample(document: Document, given: Schema): unknown {
  const schema = resolve(document, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(document, schema.anyOf[0] ?? {});
  const [type] = [schema.type].flat();
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [sample(document, schema.items ?? {})];
  if (!schema.properties) return "…";
  const needed = schema.required ?? Object.keys(schema.properties).slice(0, 1);
  return Object.fromEntries(
    needed.map((name) => [name, sample(document, schema.properties?.[name] ?? {})]),
  );
}

/** Without the signs for code, which a browser does not read. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
