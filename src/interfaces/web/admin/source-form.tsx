/** The form that composes a forge's table for the settings file. The operator must copy the table into the file. */
import { type ForgeKind, forgeKinds } from "../../../contract/forge-kinds.ts";
import { Choice, Disclosure, Field } from "../look/forms.tsx";
import { Callout, Copyable, FoldedPanel } from "../look/parts.tsx";
import { type SignedInProperties, toSentence, type WebModules } from "../page.ts";

type SourceDraft = Parameters<WebModules["sources"]["compose"]>[0];

export const kindNames: Readonly<Record<ForgeKind, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
};

const fields = ["kind", "url", "id", "select", "everyHours", "tokenFile"] as const;
const seldom = ["id", "everyHours", "tokenFile"] as const;
const lengthMax = 2000;

/** The form sends its fields in the address, so that it works without a script. */
export function SourceForm({ ask }: SignedInProperties) {
  const draft = readDraft(ask.url);
  const made = draft && ask.modules.sources.compose(draft);
  const get = (name: keyof SourceDraft) => ({
    ...{ name, value: draft?.[name] ?? "", maxlength: lengthMax },
  });
  return (
    <FoldedPanel title="Add a source" id="add" isOpen={draft !== undefined}>
      {made && !made.ok && (
        <Callout tone="wrong" title="The table was not made" role="alert" isFocused>
          <p class="free">
            <a href={`#${made.field}`}>{describeFault(made)}</a>
          </p>
        </Callout>
      )}
      {made?.ok && (
        <Callout tone="done" title="The table for the settings file" role="status" isFocused>
          <Copyable
            id="table"
            label={`In ${ask.modules.administration.settingsFile}`}
            text={made.block}
          />
          <Steps hasFile={draft?.tokenFile.trim() !== ""} variable={made.variable} />
        </Callout>
      )}
      <form class="stack" method="get" action="/admin/sources">
        <Choice
          name="kind"
          label="Kind of forge"
          value={draft?.kind ?? "gitea"}
          options={forgeKinds.map((value) => ({ value, label: kindNames[value] }))}
        />
        <Field
          {...get("url")}
          label="Its address in a browser"
          placeholder="https://git.corp.example"
          required
        />
        <Field
          {...get("select")}
          label="Whose people"
          hint={
            <>
              Such as <code>org:acme, user:ada</code>, or <code>all</code>. Names follow{" "}
              <code>org:</code>, <code>team:</code>, <code>group:</code>, <code>user:</code>,{" "}
              <code>file:</code> or <code>search:</code>.
            </>
          }
          required
        />
        <Disclosure
          label="Name, hours and file of the token"
          isOpen={draft !== undefined && seldom.some((field) => draft[field] !== "")}
        >
          <Field
            {...get("id")}
            label="Its name in Roster"
            hint="Small letters, digits, dots and dashes. Without one, the host of the address."
            optional
          />
          <Field
            {...get("everyHours")}
            label="Hours between two readings"
            hint="Without a number, 24."
            optional
            inputmode="numeric"
          />
          <Field
            {...get("tokenFile")}
            label="File with the token"
            hint="A path on the server. Without one, the token stands in a variable, which is named with the table. The token itself is not typed here."
            optional
          />
        </Disclosure>
        <div class="actions">
          <button type="submit">Make the table</button>
        </div>
      </form>
    </FoldedPanel>
  );
}

function Steps({ hasFile, variable }: { readonly hasFile: boolean; readonly variable: string }) {
  return (
    <>
      {hasFile ? (
        <p>
          Only the owner of the file with the token may read it (mode 0600). A new token in it needs
          no restart.
        </p>
      ) : (
        <Copyable id="variable" label="The variable with the token" text={variable} />
      )}
      <p>
        At the next start Roster begins to read the forge by itself. <code>docs/forges.md</code>{" "}
        lists the rights that the token needs.
      </p>
    </>
  );
}

/** Reads the form from the address. @returns undefined if the form was not sent. */
function readDraft({ searchParams }: URL): SourceDraft | undefined {
  if (!fields.some((field) => searchParams.has(field))) return undefined;
  const read = (field: string) => (searchParams.get(field) ?? "").slice(0, lengthMax);
  return Object.fromEntries(fields.map((field) => [field, read(field)])) as unknown as SourceDraft;
}

const labels: Readonly<Record<keyof SourceDraft, string>> = {
  kind: "the kind",
  url: "the address",
  id: "the name",
  select: "whose people",
  everyHours: "the hours",
  tokenFile: "the file",
};

/** Formats the error about a setting. The label of the form's field replaces the name of the setting. */
function describeFault({ field, message }: { field: keyof SourceDraft; message: string }): string {
  if (!message.startsWith(field)) return toSentence(message);
  // The name of a list may end with an index: `select[0]`.
  const rest = message.slice(field.length).replace(/^\[\d+\]/, "");
  return toSentence(rest.startsWith(" ") ? labels[field] + rest : message);
}
