/** The fields of an OpenAPI 3.1 document that the page shows. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  [constraint: string]: unknown;
};
export type Content = Record<string, { schema?: Schema }>;
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: unknown[];
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
export type Document = {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export type Entry = { method: string; path: string; operation: Operation };

/** The operations of a tag that match every word of the query. */
export function entriesOf(document: Document, tag: string, query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
      .filter(({ operation }) => operation.tags.includes(tag))
      .filter((entry) => {
        const text = `${entry.method} ${path} ${entry.operation.summary}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
  );
}

/** The name of the component that a schema refers to. */
export function nameOf(schema: Schema): string | null {
  return schema.$ref?.split("/").at(-1) ?? null;
}
