import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { Field, Form } from "../look/forms.tsx";
import { Callout, FactList, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import type { ErasurePreviewLines } from "./administration.ts";
import { startRun } from "./runs-page.tsx";
import { StudyPart } from "./study-parts.tsx";

const personLengthMax = 254;

/** The first step of an erasure: the administrator names the person. */
export const erasurePage = defineAdministratorPage({
  path: "/admin/forget",
  show: (ask) => {
    const form = { ask, act: "look" };
    const body = (
      <Panel title="Who asked to be forgotten">
        <p>
          Deletes a person permanently, and keeps imports from adding them again. The next page
          lists what would be deleted.
        </p>
        <Form {...form} submit="Show what would go" tone="plain">
          <Field
            form={form}
            name="person"
            label="Login or e-mail address"
            hint="Any login or address that the person has or had. Nothing is erased yet."
          />
        </Form>
      </Panel>
    );
    return { title: "Forget a person", back: backToIdentity, body };
  },
  actions: {
    look: defineAction(
      { person: defineText("Login or e-mail address", personLengthMax) },
      ({ modules }, { person }) => {
        const number = modules.administration.erasures.look(person.trim());
        return { goTo: `/admin/forget/${number}` };
      },
    ),
  },
});

const backToIdentity = { to: "/admin/identity", label: "Back to who is who" };

/** The second step of an erasure: the page shows what will be deleted. */
export const erasureFoundPage = defineAdministratorPage({
  path: "/admin/forget/:number",
  show: (ask) => {
    const { person, study } = findErasure(ask);
    const state = study.read();
    const body = (
      <StudyPart
        ask={ask}
        id="found"
        study={state}
        doing={`Looking for everything that is held of ${person}`}
        failure={{
          title: "The person cannot be forgotten",
          help: (
            <p>
              <a href="/admin/forget">Another login or address</a>
            </p>
          ),
        }}
      >
        {state.state === "done" && <Confirm ask={ask} person={person} found={state.result} />}
      </StudyPart>
    );
    return { title: "Forget a person", body, moves: true };
  },
  actions: {
    forget: defineAction(
      {
        reason: defineOptionalText("Reason", 500),
        sure: Type.Optional(defineChoice("One person", ["yes"])),
        ...passwordIfAsked,
      },
      (ask, { reason, sure, password }) => {
        const { person, study } = findErasure(ask);
        const state = study.read();
        if (state.state !== "done") return { refusal: "Look first at what would go." };
        if (state.result.joinsByName.length > 0 && sure === undefined) {
          return { refusal: "Check first that all of this is one person.", field: "sure" };
        }
        return runConfirmed(ask, password, () => startRun(ask, { kind: "forget", person, reason }));
      },
    ),
  },
});

function findErasure({ modules, params }: SignedInRequest) {
  const found = modules.administration.erasures.find(params["number"] ?? "");
  if (found) return found;
  throw new Problem("not_found", { message: "This request is too old: make it again." });
}

interface ConfirmProperties extends SignedInProperties {
  readonly person: string;
  readonly found: ErasurePreviewLines;
}

function Confirm({ ask, person, found }: ConfirmProperties) {
  const form = { ask, act: "forget" };
  const list = (texts: readonly string[]) => (texts.length === 0 ? "none" : texts.join(", "));
  return (
    <>
      <Panel title="What will go">
        <p>
          You asked for <strong class="free">{person}</strong>. All of this is known as one person:
        </p>
        <FactList
          facts={[
            ["Logins", list(found.logins)],
            ["Earlier logins", list(found.formerLogins)],
            ["Addresses", list(found.addresses)],
            ["Accounts", list(found.accounts)],
            ["Names", list(found.names)],
          ]}
        />
        {found.joinsByName.length > 0 && (
          <Callout tone="warn" title="A part of this may be another person's">
            <p>
              A name is the only evidence that these are one person. Anybody can write a name into a
              commit.{" "}
              {found.logins[0] && (
                <a href={`/developers/${encodeURIComponent(found.logins[0])}/identity`}>
                  Split two people
                </a>
              )}
            </p>
            <ul>
              {found.joinsByName.map(({ evidence, spellings: [one, other] }) => (
                <li class="free">
                  {one} and {other} ({evidence})
                </li>
              ))}
            </ul>
          </Callout>
        )}
        <p>
          Everything held of them is deleted: profile, scores, commits in the kept histories,
          decisions about them, entries on everyone's lists. Salted hashes stay, so that no import
          brings them back. Copies elsewhere, such as backups, stay until you delete them.
        </p>
      </Panel>
      <Panel title="Forget this person">
        <Form {...form} submit="Forget this person" tone="danger">
          <Field
            form={form}
            name="reason"
            label="Reason"
            hint="Kept with the receipt: a ticket, a date. It must not name the person."
            optional
          />
          {found.joinsByName.length > 0 && (
            <Field
              form={form}
              name="sure"
              label="All of this is one person"
              type="checkbox"
              value="yes"
            />
          )}
          <PasswordIfAsked form={form} />
        </Form>
      </Panel>
    </>
  );
}
