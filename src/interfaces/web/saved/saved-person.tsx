import type { Card } from "../../../contract/people/developer.ts";
import { formatScore } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { Badge, ButtonLink, Popup } from "../look/parts.tsx";
import { Avatar, PersonHeading } from "../look/people.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import { readCardFigures } from "../search/person-row.tsx";
import { getPersonId } from "./save-forms.tsx";

/** Reads the figures of people by login. No figures are read for an account without calls left. */
export async function readRowFigures(ask: SignedInRequest, logins: readonly string[]) {
  const answer = await ask.calls.compute(ask, ({ pool }) => readCardFigures(pool, logins));
  const figures = answer.ok ? answer.shown : [];
  return new Map(logins.map((login, at) => [login, figures[at]]));
}

interface SavedPersonProperties {
  readonly login: string;
  /** `undefined` if the person is no longer in the pool. */
  readonly card: Card | undefined;
  readonly figures: Awaited<ReturnType<typeof readRowFigures>>;
  readonly score: number | undefined;
  readonly isMatch?: boolean;
  /** Id of the form that the box of the person belongs to. Without it, the person has no box. */
  readonly pickedBy?: string;
  readonly children: Children;
}

export function SavedPerson(properties: SavedPersonProperties) {
  const { login, card, score, isMatch = false, pickedBy, children } = properties;
  const { name = login, location } = card ?? {};
  const figures = properties.figures.get(login);
  const facts = [figures?.role, location, name === login ? "" : login].filter(Boolean).join(" · ");
  return (
    <li class="person saved-person" id={getPersonId(login)}>
      {pickedBy && (
        <input
          type="checkbox"
          form={pickedBy}
          name="login"
          value={login}
          aria-label={`Select ${name}`}
        />
      )}
      {card ? (
        <PersonHeading login={login} name={name} heading="h3" note={facts} />
      ) : (
        <>
          <Avatar login={login} />
          <div class="person-who">
            <h3>{login}</h3>
            <Badge tone="warn">no longer in the pool</Badge>
          </div>
        </>
      )}
      {children}
      {figures?.sparkline}
      {score !== undefined && (
        <span class="score number" title={isMatch ? "Match of 100" : "Score of 100"}>
          {formatScore(score)}
          <span class="unseen">{isMatch ? " match" : " of 100"}</span>
        </span>
      )}
    </li>
  );
}

interface SavedActionsProperties extends SignedInProperties {
  readonly what: "list" | "search";
  /** Address of the CSV file. Empty if there is no one to export. */
  readonly file: string;
  readonly loss: string;
  readonly children: Children;
}

export function SavedActions({ ask, what, file, loss, children }: SavedActionsProperties) {
  return (
    <>
      {children}
      {file && <ButtonLink to={file} label="Export" />}
      <Popup label="Delete" tone="plain">
        <Form ask={ask} act={`remove-${what}`} submit={`Delete the ${what}`} tone="danger">
          <p>{loss}</p>
        </Form>
      </Popup>
    </>
  );
}
