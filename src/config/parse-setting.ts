/** The formats of settings. */
import { isAbsolute } from "node:path";
import { bech32 } from "@scure/base";
import { describeChoice, describeWholeNumber } from "../contract/complaint.ts";
import { parseNetwork } from "../network/ip-address.ts";

export interface SettingForm<Value> {
  /** The accepted values, in words. */
  readonly rule: string;
  /** The placeholder of the value in help texts. Undefined means that each setting has its own placeholder. */
  readonly takes?: string;
  /** @returns the value. Undefined means that the text is not accepted. */
  readonly parse: (text: string) => Value | undefined;
}

export const plainText: SettingForm<string> = {
  rule: "a text that is not empty",
  parse: (text) => (text.trim() === "" ? undefined : text),
};

const named = (takes: string, rule: string) => ({ ...plainText, takes, rule });

export const hostName = named("HOST", "a name or an IP address, or a socket as unix:PATH");
export const filePath = named("FILE", "the path of a file");
export const folderPath = named("DIR", "the path of a folder");

export function createWholeNumberForm(min: number, max: number): SettingForm<number> {
  return {
    rule: describeWholeNumber(min, max),
    takes: "N",
    parse: (text) => {
      const value = Number(text);
      return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
    },
  };
}

/** A duration, in milliseconds. */
export const duration: SettingForm<number> = {
  rule: "a duration from 1s to 7d, such as 90s, 30m or 1h",
  takes: "DURATION",
  parse: (text) => {
    const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
    const seconds = Number(count) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? ""] ?? 0);
    return seconds >= 1 && seconds <= 7 * 86_400 ? seconds * 1000 : undefined;
  },
};

export const onOrOff: SettingForm<boolean> = {
  rule: "true or false",
  parse: (text) => {
    if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
    return ["false", "0", "no", "off"].includes(text.toLowerCase()) ? false : undefined;
  },
};

export function createChoiceForm<Word extends string>(words: readonly Word[]): SettingForm<Word> {
  return {
    rule: describeChoice(words),
    parse: (text) => words.find((word) => word === text),
  };
}

/** How people are reached: by mail, a page or a telephone (RFC 9116). */
export const contactAddress: SettingForm<string> = {
  rule: "a mailto:, https: or tel: address",
  takes: "URL",
  parse: (text) =>
    /^(mailto:|https:\/\/|tel:)[!-~]+$/.test(text) && URL.canParse(text) ? text : undefined,
};

/** An address without a trailing slash. */
export const address: SettingForm<string> = {
  rule: "an http or https address without query or fragment",
  takes: "URL",
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isFit = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash;
    return isFit ? text.replace(/(?<!\/)\/+$/, "") : undefined;
  },
};

export const databaseAddress: SettingForm<string> = {
  rule: "an address of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  takes: "URL",
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isFit = url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
    return isFit ? text : undefined;
  },
};

export const mailServer: SettingForm<string> = {
  rule: "an address such as smtp://mail.corp.example:587 or smtps://mail.corp.example:465",
  takes: "URL",
  parse: (text) =>
    /^smtps?:\/\/([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/.test(text) && URL.canParse(text)
      ? text
      : undefined,
};

export const mailAddress: SettingForm<string> = {
  rule: "a mail address such as roster@corp.example",
  takes: "ADDRESS",
  parse: (text) => (/^[^\s@<>(),;:"]{1,64}@[\w.-]{1,253}$/.test(text) ? text : undefined),
};

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A host and port, such as `[::1]:9171`. A port alone means a port of 127.0.0.1. */
export const listenAddress: SettingForm<ListenAddress> = {
  rule: "HOST:PORT, or a port alone for callers on this machine",
  takes: "ADDRESS",
  parse: (text) => {
    const [, host = "127.0.0.1", digits = ""] =
      /^(?:(?:\[(?=[0-9a-fA-F:.]+\]))?([\w.:-]+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
    const port = Number(digits);
    return digits !== "" && port <= 65_535 ? { host, port } : undefined;
  },
};

export const absoluteFolders: SettingForm<readonly string[]> = {
  rule: "absolute paths of folders, separated by commas",
  takes: "LIST",
  parse: (text) => {
    const folders = text.split(",").map((part) => part.trim());
    return folders.every((folder) => isAbsolute(folder)) ? folders : undefined;
  },
};

/** Public keys of age: usual ones, and those that also resist quantum computers. */
export const ageRecipients: SettingForm<readonly string[]> = {
  rule: "public keys of age, as age-keygen prints them (age1...), separated by commas",
  takes: "LIST",
  parse: (text) => {
    const keys = text.split(",").map((part) => part.trim());
    const isKey = (one: string) =>
      /^age1(\w{58}|pq1\w{1952})$/.test(one) && bech32.decodeUnsafe(one, false);
    return keys.every(isKey) ? keys : undefined;
  },
};

/** Checks networks. The HTTP interface parses the texts again. */
export const networks: SettingForm<readonly string[]> = {
  rule: "addresses or networks such as 10.0.0.0/8, separated by commas",
  takes: "LIST",
  parse: (text) => {
    const parts = text.split(/[\s,]+/).filter(Boolean);
    return parts.length > 0 && parts.every(parseNetwork) ? parts : undefined;
  },
};

/** Complete addresses with a private scheme, because any program can claim a scheme (RFC 8252, 8.4). */
export const privateRedirects: SettingForm<readonly string[]> = {
  rule: "addresses with a private scheme such as cursor://anysphere.cursor-mcp/oauth/callback, separated by commas, or none",
  takes: "LIST",
  parse: (text) => {
    if (text.trim() === "none") return [];
    const redirects = text.split(/[\s,]+/).filter(Boolean);
    const browsers = /^(https?|wss?|ftp|file|blob|data|about|javascript|vbscript|view-source):$/;
    const isPrivate = (one: string) =>
      URL.canParse(one) && !browsers.test(new URL(one).protocol) && !/[#@]/.test(one);
    return redirects.every(isPrivate) ? redirects : undefined;
  },
};
