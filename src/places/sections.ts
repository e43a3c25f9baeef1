import { formatVersion, type Header, type SectionName } from "./gazetteer-file.ts";

/**
 * The gazetteer's file as typed arrays over its own bytes.
 *
 * @package
 */
export type GazetteerSections = ReturnType<typeof readSections>;

/** @package */
export function readSections(file: Uint8Array) {
  // A copy only when the buffer read does not start where typed arrays need it to.
  const bytes = file.byteOffset % 8 === 0 ? file : file.slice();
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = new TextDecoder().decode(bytes.subarray(8, 8 + headLength));
  const header = JSON.parse(head) as Header;
  if (header.version !== formatVersion) {
    throw new Error(`the embedded gazetteer is of version ${header.version}, not ${formatVersion}`);
  }
  const at = (name: SectionName): Uint8Array => {
    const [offset, length] = header.sections[name];
    return bytes.subarray(8 + headLength + offset, 8 + headLength + offset + length);
  };
  const words = (name: SectionName) => {
    const section = at(name);
    return new Uint32Array(section.buffer, section.byteOffset, section.byteLength / 4);
  };
  const halves = (name: SectionName) => {
    const section = at(name);
    return new Uint16Array(section.buffer, section.byteOffset, section.byteLength / 2);
  };
  return {
    kinds: at("kinds"),
    marks: at("marks"),
    countries: at("countries"),
    regions: halves("regions"),
    populations: words("populations"),
    numbers: words("numbers"),
    ids: at("ids"),
    nameEnds: words("nameEnds"),
    names: at("names"),
    keyEnds: words("keyEnds"),
    keys: at("keys"),
    postingEnds: words("postingEnds"),
    postings: words("postings"),
    insideOf: words("insideOf"),
    containers: words("containers"),
  };
}
