import { Field, type InputAttributes } from "./forms.tsx";
import type { Children } from "./jsx-runtime.ts";

interface ListSearchProperties extends InputAttributes {
  /** Of the page that shows what is found. */
  readonly path: string;
  readonly label: string;
  readonly value: string;
  /** Kept in the address. */
  readonly children?: Children;
}

/** The form that searches a list by the parameter `q` of the address. Other attributes are those of the input. */
export function ListSearch({ path, children, ...field }: ListSearchProperties) {
  return (
    <search>
      <form class="search" method="get" action={path}>
        <Field name="q" type="search" autocomplete="off" maxlength={searchedMax} {...field} />
        {children}
        <button type="submit" class="plain">
          Search
        </button>
      </form>
    </search>
  );
}

const searchedMax = 200;

/** What `ListSearch` searches. */
export const readSearched = ({ searchParams }: URL): string =>
  (searchParams.get("q") ?? "").trim().slice(0, searchedMax);
