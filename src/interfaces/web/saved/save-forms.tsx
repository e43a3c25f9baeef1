/** Forms that put a person on a list or save a search. Any page may embed them. They send to the pages below `/saved`. */
import {
  type ListedPerson,
  type ListSummary,
  savedLimits,
} from "../../../control/saved-records.ts";
import { formatCount } from "../look/format.ts";
import { Choice, Field, Form, type FormProps, TextArea } from "../look/forms.tsx";
import { ButtonLink, Popup } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";

export interface KnownLists {
  /** The lists of the account, the most recently changed first. */
  readonly lists: readonly ListSummary[];
  /** For each person, the lists that the person is on. The key is the login in lower case. */
  readonly listed: ReadonlyMap<string, readonly ListedPerson[]>;
}

export async function readKnownLists(
  { modules, visitor }: SignedInRequest,
  logins: readonly string[],
): Promise<KnownLists> {
  const { saved } = modules.control;
  const lists = await saved.lists(visitor.account.id);
  const hasPeople = lists.some(({ people }) => people > 0);
  const listed = hasPeople ? await saved.listed(visitor.account.id, logins) : [];
  return {
    lists: lists.toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1)),
    listed: Map.groupBy(listed, ({ login }) => login.toLowerCase()),
  };
}

interface AddToListProperties extends SignedInProperties {
  readonly listing: KnownLists;
  readonly login: string;
  readonly name?: string | undefined;
  readonly isMain?: boolean;
  /** Whether the form is on a page of its own, because a page with many people would be slow with a form for each. */
  readonly isLink?: boolean;
}

/** The HTML id of the element that shows a person. */
export const getPersonId = (login: string) => `person-${login.toLowerCase()}`;

/** The length of the longest address to return to. A form leaves out a longer address. */
const returnLengthMax = 1500;

/** Puts a person on a list. Afterwards the current page is shown again, with a notice next to the person. */
export function AddToList(properties: AddToListProperties) {
  const { ask, listing, login, name = login, isMain, isLink } = properties;
  const on = listing.listed.get(login.toLowerCase()) ?? [];
  const path = ask.url.pathname + ask.url.search;
  const back = path.length <= returnLengthMax && { back: path };
  const label = on.length > 0 ? "Add to another list" : "Add to list";
  return (
    <div class="adder" id={getPersonId(login)}>
      {renderListed(ask, login, on)}
      {isLink ? (
        <ButtonLink
          {...{ label, to: `/saved/add?${new URLSearchParams({ login, ...back })}` }}
          unseen={`: ${name}`}
        />
      ) : (
        <Popup label={label} unseen={`: ${name}`} tone={isMain ? undefined : "plain"}>
          <Form
            {...{ ask, act: "add", person: login, submit: "Add", to: "/saved/add" }}
            hidden={{ shown: ask.markShown(login), ...back }}
          >
            <AddFields form={{ ask, act: "add", person: login }} lists={listing.lists} />
          </Form>
        </Popup>
      )}
    </div>
  );
}

/** Shows the lists that a person is on, or the notice that the person was just added to one. */
function renderListed({ notice }: SignedInRequest, login: string, on: readonly ListedPerson[]) {
  if (notice?.person?.toLowerCase() === login.toLowerCase()) {
    return (
      <p class="small adder-done" role="status">
        {notice.text}
        {notice.list && [" ", <a href={notice.list.to}>{notice.list.name}</a>]}
      </p>
    );
  }
  if (on.length === 0) return undefined;
  return (
    <p class="small muted">
      On{" "}
      {on.map(({ listId, listName }, at) => [
        at > 0 && ", ",
        <a href={`/saved/lists/${listId}`}>{listName}</a>,
      ])}
    </p>
  );
}

const firstName = "Shortlist";

interface AddFieldsProperties {
  readonly form: FormProps;
  readonly lists: readonly ListSummary[];
  /** Whether the note gets the focus when the page opens. */
  readonly isFocused?: boolean;
}

export function AddFields({ form, lists, isFocused }: AddFieldsProperties) {
  const isFirst = lists.length === 0;
  return (
    <>
      {!isFirst && <ListChoice form={form} lists={lists} />}
      <Field
        form={form}
        name="name"
        label={isFirst ? "New list" : "or a new list"}
        maxlength={savedLimits.nameLengthMax}
        {...(isFirst ? { value: firstName } : { optional: true })}
      />
      <NoteField form={form} optional autofocus={isFocused === true} />
    </>
  );
}

export function ListChoice({ form, lists }: AddFieldsProperties) {
  const options = lists.map(({ id, name, people }) => ({
    ...{ value: id, label: `${name} (${formatCount(people)})` },
  }));
  return (
    <Choice form={form} name="list" label="List" options={options} value={lists[0]?.id ?? ""} />
  );
}

interface NoteFieldProperties {
  readonly form: FormProps;
  readonly value?: string;
  readonly optional?: true;
  readonly autofocus?: boolean;
}

export function NoteField({ value, ...field }: NoteFieldProperties) {
  return (
    <TextArea {...field} name="note" label="Note" rows="2" maxlength={savedLimits.noteLengthMax}>
      {value}
    </TextArea>
  );
}

/** @param query the query of the search's address, without a question mark. */
export function SaveSearch({
  ask,
  query,
  name,
}: SignedInProperties & { query: string; name: string }) {
  const form = { ask, act: "save-search" };
  return (
    <Popup label="Save search">
      <Form {...form} submit="Save" to="/saved" hidden={{ query }}>
        <Field
          form={form}
          name="name"
          label="Name"
          hint="Roster runs it when people change and shows who is new. Saving uses one call."
          value={name.slice(0, savedLimits.nameLengthMax)}
          maxlength={savedLimits.nameLengthMax}
        />
      </Form>
    </Popup>
  );
}
