import { useState } from "preact/hooks";
import { ApiError } from "../connection/api.ts";
import { describeError, describeFieldError } from "../words/describe-error.ts";

/** The state of a request that a form or button makes. */
export type Action = {
  busy: boolean;
  /** The error, unless a field shows it. */
  error: string | null;
  field(name: string): string | undefined;
  run(work: () => Promise<unknown>): Promise<void>;
};

/** @param fields the fields that show their own errors */
export function useAction(fields: string[] = []): Action {
  const [runningCount, setRunningCount] = useState(0);
  const [error, setError] = useState<ApiError | null>(null);
  const atField = fields.some((name) => error?.field(name));
  return {
    busy: runningCount > 0,
    error: error && !atField ? describeError(error) : null,
    field: (name) => (error ? describeFieldError(error, name) : undefined),
    async run(work) {
      setRunningCount((n) => n + 1);
      setError(null);
      try {
        await work();
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause);
      } finally {
        setRunningCount((n) => n - 1);
      }
    },
  };
}

/** Returns the attributes of the `Field` with this name. */
export type FormFields<Values> = (name: keyof Values & string) => {
  value: string;
  onValue(value: string): void;
  error: string | undefined;
};

/**
 * The texts of a form, by the names of its fields on the wire, and the request that it makes.
 * @param initial the saved texts, with which `isChanged` compares
 */
export function useForm<Values extends Record<string, string>>(initial: Values) {
  const [values, setValues] = useState(initial);
  const action = useAction(Object.keys(initial));
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  const field: FormFields<Values> = (name) => ({
    value: values[name] ?? "",
    onValue: (value) => setValues((now) => ({ ...now, [name]: value })),
    error: action.field(name),
  });
  const isChanged = Object.keys(initial).some((name) => values[name]?.trim() !== initial[name]);
  return { values, set, action, field, isChanged };
}
