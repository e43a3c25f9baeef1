import { GrowableArray } from "../../contract/growable-array.ts";
import { limits } from "../../contract/limits.ts";
import type { NamedRepository } from "../../contract/people/assessment.ts";
import { isFoundByRole } from "../../contract/people/profile-analysis.ts";
import { everywhere } from "../../places/places.ts";
import {
  copyText,
  FeatureReader,
  type FeatureRow,
  readFeatureEnd,
  readFeatureHead,
  readFromCard,
  readRows,
} from "../../pool/pool.ts";
import { listActiveIds } from "../active-since.ts";
import { listCompanyWords } from "../company-words.ts";
import { computeBase } from "../weighing.ts";
import { hasStrengths } from "./generation.ts";
import { ListCollector, noList } from "./list-collector.ts";
import { NumberedTexts } from "./numbered-texts.ts";
import { formatRepositoryId } from "./repositories.ts";

/** @package The result of one pass over the pool, in flat arrays. Developers are in the order of reading. */
export type CollectedFeatures = Awaited<ReturnType<typeof collectFeatures>>;

/** @package Streams the ranking features once, and keeps only numbers and the login of each developer. */
export async function collectFeatures(
  rankingFeatures: AsyncGenerator<readonly FeatureRow[]>,
  ancestors: (placeId: string) => readonly string[],
) {
  const lists = new ListCollector();
  const columns = new ColumnCollector();
  const takeLists = createListTaker(lists, ancestors);
  const cursor = new FeatureReader();
  const take = (row: FeatureRow) => {
    cursor.open(row.standing);
    columns.followers.push(takeLists(row, cursor, columns.add(row.rowId, cursor)));
    lists.endDeveloper();
  };
  for await (const _ of readRows(rankingFeatures, take));
  return { ...columns.collected(), ...lists.collected() };
}

/** Figures that decide which lists a developer is in. */
interface DecidingFigures {
  readonly experienceTenths: number;
  readonly isHireable: boolean;
}

/** Returns a function that puts a row into its lists, and returns what the column of followers contains. */
function createListTaker(
  lists: ListCollector,
  ancestors: (placeId: string) => readonly string[],
): (row: FeatureRow, cursor: FeatureReader, figures: DecidingFigures) => number {
  const [place, years, hireable] = [lists.of("place"), lists.of("years"), lists.of("hireable")];
  const takePlaces = createPlaceTaker(lists, place, ancestors);
  const takeRoles = createRoleTaker(lists);
  const takeConcepts = createNameTaker(lists, "concept");
  const takeWords = createNameTaker(lists, "word");
  const takeRepositories = createRepositoryTaker(lists);
  const takeActive = createActiveTaker(lists);
  const takeCompany = createCompanyTaker(lists);
  const atLeast: number[] = [];
  const takeYears = (tenths: number) => {
    const wholeYears = Math.min(Math.floor(tenths / 10), limits.experienceYearsMax);
    while (atLeast.length < wholeYears) atLeast.push(years(String(atLeast.length + 1)));
    for (let year = 0; year < wholeYears; year++) lists.put(atLeast[year] as number, 0);
  };
  return (row, cursor, { experienceTenths, isHireable }) => {
    lists.put(place(everywhere), 0);
    takePlaces(cursor);
    takeRoles(cursor);
    takeConcepts(cursor);
    takeWords(cursor);
    const hasEnd = takeRepositories(row, cursor);
    if (hasEnd) takeActive(cursor);
    const { company, followers } = (hasEnd && readFeatureEnd(cursor)) || readFromOldCard(row);
    if (company !== undefined) takeCompany(company);
    takeYears(experienceTenths);
    if (isHireable) lists.put(hireable("yes"), 0);
    return Math.min(followers, 0xffffffff);
  };
}

type ListTaker = (cursor: FeatureReader) => void;

function createPlaceTaker(
  lists: ListCollector,
  place: (id: string) => number,
  ancestors: (placeId: string) => readonly string[],
): ListTaker {
  const containing: (readonly number[])[] = [];
  const texts = new NumberedTexts(
    ([id = ""]) => containing.push([copyText(id), ...ancestors(id)].map(place)) - 1,
  );
  const placed = lists.of("placed")("yes");
  return (cursor) => {
    for (cursor.openList(); cursor.hasNext(); ) {
      lists.put(placed, 0);
      cursor.readText();
      for (const list of containing[texts.find(cursor)] ?? []) lists.put(list, 0);
    }
  };
}

function createRoleTaker(lists: ListCollector): ListTaker {
  const role = lists.of("role");
  const texts = new NumberedTexts(([id = ""]) => role(copyText(id)));
  return (cursor) => {
    let at = 0;
    for (cursor.openList(); cursor.hasNext(); at++) {
      cursor.readText();
      const list = texts.find(cursor);
      const match = cursor.readNumber();
      const techStack = cursor.readNumber();
      if (isFoundByRole(match, at)) lists.put(list, techStack);
    }
  };
}

function createNameTaker(lists: ListCollector, kind: "concept" | "word"): ListTaker {
  const toList = lists.of(kind);
  const texts = new NumberedTexts(([name = ""]) => toList(copyText(name)));
  const isStrong = hasStrengths(kind);
  return (cursor) => {
    for (cursor.openList(); cursor.hasNext(); ) {
      cursor.readText();
      const list = texts.find(cursor);
      lists.put(list, isStrong ? cursor.readNumber() : 0);
    }
  };
}

/** Returns a function that collects the repositories of a row. The function returns whether the row has more lists. */
function createRepositoryTaker(
  lists: ListCollector,
): (row: FeatureRow, cursor: FeatureReader) => boolean {
  const repository = lists.of("repository");
  const toList = (named: NamedRepository) => {
    const id = formatRepositoryId(named);
    return id === undefined ? noList : repository(id);
  };
  const texts = new NumberedTexts(([name = "", forge = ""]) => toList({ name, forge }));
  return ({ rowId, readRepositories }, cursor) => {
    if (!cursor.hasNext()) {
      for (const named of readRepositories?.(rowId) ?? []) lists.put(toList(named), 0);
      return false;
    }
    for (cursor.openList(); cursor.hasNext(); ) {
      cursor.readPair();
      lists.put(texts.find(cursor), 0);
    }
    return cursor.hasNext();
  };
}

function createActiveTaker(lists: ListCollector): ListTaker {
  const active = lists.of("active");
  const byDay: (readonly number[])[] = [];
  const texts = new NumberedTexts(
    ([day = ""]) => byDay.push(listActiveIds(day).map((id) => active(copyText(id)))) - 1,
  );
  return (cursor) => {
    for (cursor.openList(); cursor.hasNext(); ) {
      cursor.readText();
      for (const list of byDay[texts.find(cursor)] ?? []) lists.put(list, 0);
    }
  };
}

function readFromOldCard({ card }: FeatureRow) {
  const { company, followers = -1 } = card ? readFromCard(card) : {};
  return { company, followers: followers + 1 };
}

function createCompanyTaker(lists: ListCollector): (company: string) => void {
  const word = lists.of("company");
  const known = new Map<string, readonly number[]>();
  const employed = lists.of("employed")("yes");
  return (company) => {
    lists.put(employed, 0);
    const words = known.getOrInsertComputed(copyText(company), () =>
      listCompanyWords(company).map((one) => word(copyText(one))),
    );
    for (const list of words) lists.put(list, 0);
  };
}

class ColumnCollector {
  readonly followers = new GrowableArray(Uint32Array);
  private readonly logins: string[] = [];
  private readonly rowIds = new GrowableArray(Uint32Array);
  private readonly profile = new GrowableArray(Uint8Array);
  private readonly activity = new GrowableArray(Uint8Array);
  private readonly techStack = new GrowableArray(Uint8Array);
  private readonly experience = new GrowableArray(Uint16Array);

  /** Reads the row up to the start of its lists. */
  add(rowId: number, cursor: FeatureReader): DecidingFigures {
    if (rowId > 0xffffffff) throw new Error(`Row id ${rowId} does not fit the index's 32 bits.`);
    const { login, profile, activity, techStack, experienceTenths, isHireable } =
      readFeatureHead(cursor);
    this.logins.push(copyText(login.toLowerCase()));
    this.rowIds.push(rowId);
    this.profile.push(profile);
    this.activity.push(activity);
    this.techStack.push(techStack);
    this.experience.push(Math.min(experienceTenths, 0xffff));
    return { experienceTenths, isHireable };
  }

  collected() {
    const profile = this.profile.whole();
    const activity = this.activity.whole();
    const techStack = this.techStack.whole();
    return {
      developers: this.logins.length,
      rowIds: this.rowIds.whole(),
      /** Lower-cased logins. */
      logins: this.logins,
      profile,
      activity,
      techStack,
      experience: this.experience.whole(),
      followers: this.followers.whole(),
      bases: Uint16Array.from(profile, (share, at) => computeBase(share, activity[at] as number)),
    };
  }
}
