import type { ComponentChildren } from "preact";
import { SearchBox } from "./search-box.tsx";

type ListFiltersProps<Choice extends string> = {
  label: string;
  query: string;
  onQuery(query: string): void;
  autofocus?: boolean;
  choiceLabel: string;
  choice: Choice;
  choices: [choice: NoInfer<Choice>, label: string][];
  onChoice(choice: NoInfer<Choice>): void;
  /** After the filters: a button. */
  children?: ComponentChildren;
};

/** The search of a list, beside the choice of what it shows or how it is sorted. */
export function ListFilters<Choice extends string>(props: ListFiltersProps<Choice>) {
  const { label, query, onQuery, autofocus, children } = props;
  return (
    <div class="find-row rigid row full wrap">
      <SearchBox
        label={label}
        placeholder={label}
        value={query}
        onValue={onQuery}
        autofocus={autofocus}
      />
      <select
        class="input"
        aria-label={props.choiceLabel}
        value={props.choice}
        onChange={(event) => props.onChoice(event.currentTarget.value as Choice)}
      >
        {props.choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
