import type { Content, Document, Entry, Schema } from "./document.ts";
import { nameOf } from "./document.ts";
import { Fields, TypeName } from "./schema.tsx";

/** An operation: its parameters, body, responses and a curl command. */
export function OperationCard({ document, entry }: { document: Document; entry: Entry }) {
  const { method, path, operation } = entry;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return (
    <details class="operation framed" id={operationId}>
      <summary class="row wrap">
        <span class={`method tiny bold rounded ${method.toLowerCase()}`}>{method}</span>
        <code class="path strong">{path}</code>
        <span class="summary muted">{summary}</span>
      </summary>
      <div class="body stack gap-12">
        {description?.split("\n\n").map((line) => (
          <p key={line}>{stripBackticks(line)}</p>
        ))}
        {parameters.length > 0 && (
          <section>
            <h3>Parameters</h3>
            <dl class="fields">
              {parameters.map(({ name, in: place, required, description: about, schema }) => (
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
                    <TypeName of={schema} /> <span class="muted">{about}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {requestBody && (
          <section>
            <h3>Body</h3>
            <Bodies document={document} content={requestBody.content} />
          </section>
        )}
        <section>
          <h3>Responses</h3>
          <dl class="fields">
            {Object.entries(responses).map(([status, response]) => (
              <div key={status}>
                <dt>
                  <code>{status}</code>
                </dt>
                <dd>
                  {stripBackticks(response.description)} <Types content={response.content} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h3>Try it</h3>
          <pre>{curlCommand(document, entry)}</pre>
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
          <Fields of={resolveSchema(document, schema ?? {})} />
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

function resolveSchema(document: Document, schema: Schema): Schema {
  const name = nameOf(schema);
  return name ? (document.components.schemas[name] ?? {}) : schema;
}

/** The curl command, with shell variables for values to fill in. */
function curlCommand(document: Document, { method, path, operation }: Entry): string {
  const address =
    (document.servers[0]?.url ?? "") +
    path.replace(/{(\w+)}/g, (_, name) => `$${name.toUpperCase()}`);
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`];
  const isPublic = operation.security?.length === 0;
  if (!isPublic) lines.push(`-H "Authorization: Bearer $SNUG_TOKEN"`);
  const content = operation.requestBody?.content ?? {};
  if ("multipart/form-data" in content) lines.push(`-F "file=@picture.png"`);
  else if ("application/json" in content) {
    const schema = resolveSchema(document, content["application/json"]?.schema ?? {});
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(sampleOf(document, schema))}'`,
    );
  }
  return lines.join(" \\\n  ");
}

function sampleOf(document: Document, reference: Schema): unknown {
  const schema = resolveSchema(document, reference);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(document, schema.anyOf[0] ?? {});
  const [type] = [schema.type].flat();
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [sampleOf(document, schema.items ?? {})];
  if (!schema.properties) return "…";
  const names = schema.required ?? Object.keys(schema.properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(document, schema.properties?.[name] ?? {})]),
  );
}

function stripBackticks(text: string): string {
  return text.replaceAll("`", "");
}
