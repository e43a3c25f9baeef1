/**
 * Suggests reviewers of a change. The user pastes or drops its diff, which is not stored. The answer is a page, not a redirect,
 * because an address cannot hold the diff.
 */
import { readChangeAuthors } from "../../../contract/diff-authors.ts";
import { readChangedPaths } from "../../../contract/diff-paths.ts";
import { limits } from "../../../contract/limits.ts";
import { findCutPath } from "../../../contract/path-list.ts";
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { Type } from "../../../contract/schema.ts";
import { describeLeftOut, listAuthorSentences } from "../../../operations/author-sentence.ts";
import type { ComputingModules } from "../calls.ts";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Choice, Field, Form, TextArea } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState, FilePath, List } from "../look/parts.tsx";
import { CallResult } from "../look/people.tsx";
import {
  defineAction,
  type SignedInProperties,
  type SignedInRequest,
  toSentence,
  type View,
} from "../page.ts";
import { readKnownLists } from "../saved/save-forms.tsx";
import { KnowerList } from "./knower-list.tsx";
import { OwnershipSection } from "./ownership-section.tsx";
import { RepositoryField } from "./who-form.tsx";
import { readDisplayNames } from "./who-parts.tsx";

/** The longest diff, in characters. */
const diffMax = 1024 * 1024;
/** The largest form in bytes. A character has at most three bytes in UTF-8, and percent-encoding triples each byte. */
export const reviewBytesMax = 9 * diffMax;

/** @param repository the first content of the field for the repository. */
export function ChangeForm({ ask, repository }: SignedInProperties & { repository: string }) {
  const form = { ask, act: "review" };
  return (
    <details class="card change-form" id="review" open={ask.refused?.act === "review"}>
      <summary>
        <h2>Who should look at a change</h2>
      </summary>
      <Form {...form} to="/who" submit="Find reviewers">
        <TextArea
          form={form}
          name="diff"
          label="Diff, or paths one a line"
          hint="What git diff prints. Paste it, or drop a file here. It is read for the names of its files, and kept nowhere."
          rows="6"
          spellcheck="false"
          data-drop
        />
        <RepositoryField
          form={form}
          hint="Left out, it is the one that has most of the files."
          value={repository}
          optional
        />
        <Field
          form={form}
          name="author"
          label="Made by"
          hint="A login, account or e-mail, so that they are not named. What git format-patch prints says it."
          spellcheck="false"
          optional
        />
        <Field
          form={form}
          name="activeSince"
          label="Only who was active since"
          type="date"
          optional
        />
        <Choice
          form={form}
          name="alike"
          label="Among people who are alike, name first"
          options={[
            { value: "least", label: "whoever reviewed least lately" },
            { value: "best", label: "the best, however much they review" },
          ]}
          value="least"
        />
      </Form>
    </details>
  );
}

/** Defines the action of the form. @param showPage renders the page around an answer. */
export const defineReview = (showPage: (ask: SignedInRequest, answer: Html) => Promise<View>) =>
  defineAction(
    {
      diff: defineText("Diff", diffMax),
      repository: defineOptionalText("Repository", limits.textLengthMax),
      author: defineOptionalText("Made by", limits.textLengthMax),
      activeSince: defineOptionalText("Only who was active since", 10),
      alike: Type.Optional(defineChoice("Among people who are alike", ["least", "best"])),
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
        renderAnswer(ask, data, computing),
      );
      // A refusal shows the form again with the pasted text.
      if (!answer.ok) return refuse(answer.problem.message);
      return showPage(ask, <CallResult answer={answer} failure="The change was not looked at" />);
    },
  );

/** The fields that an error can name: the name in the operation, the name in the form, and the label. */
const fields = [
  ["authors", "author", "Made by"],
  ["activeSince", "activeSince", "Only who was active since"],
  ["repository", "repository", "Repository"],
] as const;

/** Shows an error at the field whose name begins the message. Other errors have no field. */
function refuse(message: string) {
  const found = fields.find(([name]) => message.startsWith(name));
  if (!found) return { refusal: toSentence(message) };
  const [name, field, label] = found;
  return { field, refusal: toSentence(label + message.slice(name.length)) };
}

function findFault(paths: readonly string[]): string | undefined {
  if (paths.length === 0) {
    return "No file is named in it: paste what git diff prints, or paths, one a line.";
  }
  if (paths.length > limits.pathsMax) {
    const most = formatCount(limits.pathsMax);
    return `It changes ${formatCount(paths.length)} files; at most ${most} can be asked for.`;
  }
  const long = paths.find((path) => path.length > limits.pathLengthMax);
  if (long) return `A path in it is longer than ${limits.pathLengthMax} characters.`;
  return findCutPath(paths);
}

async function renderAnswer(ask: SignedInRequest, data: WhoData, computing: ComputingModules) {
  const { people, paths, unknownPaths = [], repositories } = data;
  const logins = people.map(({ login }) => login);
  const [listing, names] = await Promise.all([
    readKnownLists(ask, logins),
    readDisplayNames(computing, data),
  ]);
  return (
    <section aria-labelledby="reviewers">
      <h2 id="reviewers">Who should look at it</h2>
      <p>
        The change is in {repositories.map(({ name }) => name).join(", ")}:{" "}
        {formatCounted(paths.length, "known file")}
        {unknownPaths.length > 0 &&
          `, and ${formatCounted(unknownPaths.length, "new file")}, answered by the nearest folder`}
        .
      </p>
      {people.length === 0 ? (
        <EmptyState>No known person has worked on these files. {describeLeftOut(data)}</EmptyState>
      ) : (
        <KnowerList ask={ask} listing={listing} people={people} />
      )}
      {listAuthorSentences(data).map((sentence) => (
        <p>{sentence}</p>
      ))}
      {renderPaths("Files of the change", paths)}
      {renderPaths("New, or made by programs", unknownPaths)}
      <OwnershipSection data={data} names={names} />
    </section>
  );
}

const renderPaths = (title: string, paths: readonly string[]) =>
  paths.length > 0 && (
    <details>
      <summary>
        {title}: {formatCount(paths.length)}
      </summary>
      <List class="plain" items={paths.map((path) => <FilePath path={path} />)} />
    </details>
  );
