import { nameOf, type Schema } from "./document.ts";

/** The name of a type, linked to its schema if it is a component. */
export function TypeName({ of }: { of: Schema | undefined }) {
  if (!of) return <code>anything</code>;
  const name = nameOf(of);
  if (name) return <a href={`#schema-${name}`}>{name}</a>;
  if (of.type === "array") {
    return (
      <>
        list of <TypeName of={of.items} />
      </>
    );
  }
  if (of.anyOf) {
    return (
      <>
        {of.anyOf.map((item, i) => (
          <>
            {i > 0 && " or "}
            <TypeName of={item} />
          </>
        ))}
      </>
    );
  }
  if (of.enum) return <code>{of.enum.map((word) => JSON.stringify(word)).join(" | ")}</code>;
  if (of.const !== undefined) return <code>{JSON.stringify(of.const)}</code>;
  return <code>{[of.type ?? "anything"].flat().join(" or ")}</code>;
}

const CONSTRAINTS = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "maxItems",
  "pattern",
  "default",
];

/** The fields of an object with their types, descriptions and constraints. */
export function Fields({ of }: { of: Schema }) {
  if (of.anyOf && !of.properties) {
    return (
      <div class="choices stack gap-12">
        {of.anyOf.map((item, i) => (
          <div key={i}>{item.properties ? <Fields of={item} /> : <TypeName of={item} />}</div>
        ))}
      </div>
    );
  }
  const required = new Set(of.required);
  return (
    <dl class="fields">
      {Object.entries(of.properties ?? {}).map(([name, field]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {!required.has(name) && <span class="muted small"> optional</span>}
          </dt>
          <dd>
            <TypeName of={field} />
            {field.description && <span class="muted"> {field.description}</span>}
            {CONSTRAINTS.filter((key) => field[key] !== undefined).map((key) => (
              <span key={key} class="muted small constraint">
                {key} <code>{String(field[key])}</code>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
