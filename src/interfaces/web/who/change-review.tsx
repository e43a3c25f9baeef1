/**
 * Suggests reviewers of a change. The user pastes or drops its diff, which is not stored. The answer is a page, not a redirect,
 * because an address cannot hold the diff.
 */
import { readChangeAuthors } from "../../../contract/diff-authors.ts";
import { readChangedPaths } from "../../../contract/diff-paths.ts";
import { limits } from "../../../contract/limits.ts";
import { findCutPath } from "../../../contract/path-list.ts";
import type { WhoData, WhoRequest } from "../../../contract/people/who-knows.ts";
import { Type } from "../../../contract/schema.ts";
import { describeLeftOut, listAuthorSentences } from "../../../operations/author-sentence.ts";
import { type FileWithKnowers, readChangedFiles } from "../../../operations/path-knowers.ts";
import { askKnowledge } from "../../../operations/requested-knowledge.ts";
import { listNamedLogins, readWhoNames, type WhoNames } from "../../../operations/who-names.ts";
import type { ComputingModules } from "../calls.ts";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Choice, Disclosure, Field, Form, TextArea } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { Copyable, EmptyState, FilePath, Panel } from "../look/parts.tsx";
import { CallResult } from "../look/people.tsx";
import {
  defineAction,
  defineSignedInPage,
  type SignedInProperties,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import { readKnownLists } from "../saved/save-forms.tsx";
import { KnowerList, Knowers, OwnershipSection } from "./who-parts.tsx";
import { RepositoryField } from "./who-question.tsx";

const diffMax = 1024 * 1024;
const title = "Suggested reviewers";
const back = { to: "/who", label: "Who knows" };

export const reviewPage = defineSignedInPage({
  path: "/who/review",
  show: (ask) => ({ title, back, body: <ChangeForm ask={ask} /> }),
  // A character has at most three bytes in UTF-8, and percent-encoding triples each byte.
  formBytesMax: 9 * diffMax,
  actions: {
    review: defineAction(
      {
        diff: defineText("Diff", diffMax),
        repository: defineOptionalText("Repository", limits.textLengthMax),
        author: defineOptionalText("Author", limits.textLengthMax),
        activeSince: defineOptionalText("Active since", 10),
        alike: Type.Optional(defineChoice("If people are alike", ["least", "best"])),
      },
      async (ask: SignedInRequest, { diff, repository, author, activeSince, alike }) => {
        const paths = readChangedPaths(diff);
        const complaint = findFault(paths);
        if (complaint !== undefined) return { refusal: complaint, field: "diff" };
        const authors = [...(author ? [author] : []), ...readChangeAuthors(diff)];
        const request = {
          paths: [...paths],
          ...(authors.length > 0 && { authors: authors.slice(0, limits.withoutMax) }),
          ...(repository && { repository }),
          ...(activeSince && { activeSince }),
          ...(alike === "best" && { ignoreLoad: true }),
        };
        const answer = await ask.calls.perform(ask, "who_knows", request, (data, computing) =>
          renderAnswer(ask, request, data, computing),
        );
        // A refusal shows the form again with the pasted text.
        if (!answer.ok) return refuse(answer.problem.message);
        const body = (
          <>
            <CallResult answer={answer} failure="No reviewers were found" />
            <Disclosure label="Another change">
              <ChangeForm ask={ask} />
            </Disclosure>
          </>
        );
        return { title, back, body };
      },
    ),
  },
});

function ChangeForm({ ask }: SignedInProperties) {
  const form = { ask, act: "review" };
  return (
    <div class="with-side change-form">
      <div class="card">
        <Form {...form} to="/who/review" submit="Find reviewers">
          <TextArea
            form={form}
            name="diff"
            label="Diff, or one path a line"
            hint="Paste it, or drop a file here. Roster reads the file names and keeps nothing."
            rows="10"
            spellcheck="false"
            data-drop
          />
          <RepositoryField form={form} hint="Found by the files if empty." optional />
          <Disclosure form={form} label="Options">
            <Field
              form={form}
              name="author"
              label="Author"
              hint="Authors are not suggested. git format-patch names them."
              placeholder="login or e-mail"
              spellcheck="false"
              optional
            />
            <Field form={form} name="activeSince" label="Active since" type="date" optional />
            <Choice
              form={form}
              name="alike"
              label="If people are alike"
              options={[
                { value: "least", label: "Prefer people with fewer recent reviews" },
                { value: "best", label: "Ignore recent reviews" },
              ]}
              value="least"
            />
          </Disclosure>
        </Form>
      </div>
      <div class="side">
        <Copyable id="of-branch" label="A branch" text="git diff main...HEAD" />
        <Copyable
          id="of-commits"
          label="A range, with authors"
          text="git format-patch --stdout v1..v2"
        />
      </div>
    </div>
  );
}

/** The fields of the operation that an error can name, as they are called in the form. */
const fields = {
  authors: ["author", "Author"],
  activeSince: ["activeSince", "Active since"],
  repository: ["repository", "Repository"],
} as const;

/** Shows an error at the field whose name begins the message. Other errors have no field. */
function refuse(message: string) {
  const [named = ""] = message.split(/[ :]/, 1);
  const [field, label = named] = fields[named as keyof typeof fields] ?? [];
  return { field, refusal: toSentence(label + message.slice(named.length)) };
}

function findFault(paths: readonly string[]): string | undefined {
  if (paths.length === 0)
    return "It names no file: paste what git diff prints, or one path a line.";
  if (paths.length > limits.pathsMax) {
    const most = formatCount(limits.pathsMax);
    return `It changes ${formatCount(paths.length)} files; the most is ${most}.`;
  }
  const long = paths.find((path) => path.length > limits.pathLengthMax);
  if (long) return `A path in it is longer than ${limits.pathLengthMax} characters.`;
  return findCutPath(paths);
}

const filesMax = 50;

async function renderAnswer(
  ask: SignedInRequest,
  request: WhoRequest,
  data: WhoData,
  computing: ComputingModules,
) {
  const { people, paths, unknownPaths = [], repositories } = data;
  const asked = await askKnowledge(request, computing);
  const files = await readChangedFiles(asked, data, computing, filesMax);
  const logins = people.map(({ login }) => login);
  const listing = await readKnownLists(ask, logins);
  const inFiles = files.flatMap(({ first = [] }) => first.map(({ login }) => login));
  const names = await readWhoNames(computing, [...inFiles, ...listNamedLogins(data)]);
  return (
    <>
      <p role="status">
        {repositories.map(({ name }) => name).join(", ")}:{" "}
        {formatCounted(paths.length, "known file")}
        {unknownPaths.length > 0 && `, ${formatCount(unknownPaths.length)} new or generated`}
      </p>
      {listAuthorSentences(data).map((sentence) => (
        <p>{sentence}</p>
      ))}
      {people.length === 0 ? (
        <EmptyState>No known person has worked on these files. {describeLeftOut(data)}</EmptyState>
      ) : (
        <section class="knower-section" aria-labelledby="reviewers">
          <h2 id="reviewers">Reviewers</h2>
          <KnowerList
            ask={ask}
            listing={listing}
            people={people}
            shareOf="the evidence for all reviewers"
          />
        </section>
      )}
      <ChangedFiles files={files} names={names} />
      {paths.length > filesMax && <p class="muted small">The first {filesMax} known files.</p>}
      <OwnershipSection data={data} names={names} />
    </>
  );
}

function ChangedFiles({ files, names }: { files: readonly FileWithKnowers[]; names: WhoNames }) {
  const unmet = files.filter(({ first }) => first?.length === 0).length;
  return (
    <Panel
      title="Files of the change"
      id="files"
      hint={`${unmet > 0 ? `No active person knows ${formatCounted(unmet, "file")}. ` : ""}A full bar is 100 %.`}
    >
      <DataTable
        class="tree"
        columns={[
          ["File", ({ path }) => <FilePath path={path} />],
          [
            "Best known by",
            ({ first }) =>
              first ? (
                <Knowers people={first} names={names} />
              ) : (
                <span class="small muted">new or generated: reviewers of its folder</span>
              ),
          ],
        ]}
        rows={files}
      />
    </Panel>
  );
}
