import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";

const linguist = openLinguist();

/** The language of a lone file by path and content. */
function languageOf(path: string, content: string): string | undefined {
  const findings = new Map([[path, linguist.examine(path, content)]]);
  return linguist.forTree([path], { findings, attributes: [] })(path).dialect;
}

describe("extensions that languages share are settled by content", () => {
  for (const [path, content, language] of [
    ["a.h", "#pragma once\nint one(void);\n", "C"],
    ["a.h", "#include <vector>\nint one();\n", "C++"],
    ["a.h", "class Thing {\npublic:\n};\n", "C++"],
    ["a.h", "#import <Foundation/Foundation.h>\n@interface Thing\n@end\n", "Objective-C"],
    ["a.m", "@implementation Thing\n@end\n", "Objective-C"],
    ["a.m", "% sums a row\nfunction s = total(x)\n", "MATLAB"],
    ["a.m", ":- module main.\n", "Mercury"],
    ["a.m", "(* a note *)\nf[x_] := x\n", "Wolfram Language"],
    ["a.pl", "use strict;\nmy $x = 1;\n", "Perl"],
    ["a.pl", "parent(ada, bo) :- true.\n", "Prolog"],
    ["a.pl", "use v6;\nsay 1;\n", "Raku"],
    ["a.pm", "package Thing;\nuse strict;\n", "Perl"],
    ["a.pm", "/* XPM */\n", "X PixMap"],
    ["a.t", "use strict;\n", "Perl"],
    ["a.t", "var x : int := 1\n", "Turing"],
    ["a.ts", "const a: number = 1;\n", "TypeScript"],
    ["a.ts", '<?xml version="1.0"?>\n<TS version="2.0">\n</TS>\n', "XML"],
    ["a.r", "x <- c(1, 2)\n", "R"],
    ["a.r", 'REBOL [Title: "x"]\n', "Rebol"],
    ["a.v", "module adder(input a);\nendmodule\n", "Verilog"],
    ["a.v", "Theorem t : True.\nProof.\nQed.\n", "Rocq Prover"],
    ["a.v", "fn main() {\n}\n", "V"],
    ["a.sql", "SELECT 1;\n", "SQL"],
    ["a.sql", "CREATE FUNCTION f() RETURNS int AS $$\n$$ LANGUAGE plpgsql;\n", "PLpgSQL"],
    ["a.sql", "DECLARE @x int;\nGO\n", "TSQL"],
    ["a.md", "# Title\n", "Markdown"],
    ["a.md", ";; Machine description\n(define_insn)\n", "GCC Machine Description"],
    ["a.php", "<?php echo 1;\n", "PHP"],
    ["a.php", "<?hh\nfunction f(): void {}\n", "Hack"],
    ["a.cs", "using System;\n", "C#"],
    ["a.cs", "!Thing methodsFor: 'x'!\n", "Smalltalk"],
    ["a.fs", "module Thing\nlet x = 1\n", "F#"],
    ["a.fs", ": square dup * ;\n", "Forth"],
    ["a.fs", "#version 330\n", "GLSL"],
    ["a.inc", "<?php\n$x = 1;\n", "PHP"],
    ["a.inc", "inherit base\n", "BitBake"],
    ["a.cls", "\\NeedsTeXFormat{LaTeX2e}\n", "TeX"],
    ["a.cls", "VERSION 1.0 CLASS\n", "VBA"],
    ["a.d", "module thing;\nimport std.stdio;\n", "D"],
    ["a.d", "main.o : main.c main.h\n", "Makefile"],
    ["a.p", "set term png\nplot sin(x)\n", "Gnuplot"],
    ["a.p", "DEFINE VARIABLE x AS CHARACTER.\n", "OpenEdge ABL"],
    ["a.s", "  MOVL %eax, %ebx\n", "Unix Assembly"],
    ["a.asm", "  MOVE.L D0,D1\n", "Motorola 68K Assembly"],
    ["a.1", ".TH THING 1\n.SH NAME\nthing \\- does it\n", "Roff Manpage"],
    ["a.1", "only text\n", "Text"],
    ["a.sol", "pragma solidity ^0.8.0;\n", "Solidity"],
    ["a.sol", "neither of them\n", undefined],
    ["a.pod", "=begin pod\n", "Pod 6"],
    ["a.cairo", "%builtins output\n", "Cairo Zero"],
    ["a.txt", "anything\n", "Text"],
  ] as const) {
    test(`${path} with ${JSON.stringify(content.slice(0, 30))} is ${language ?? "of none"}`, () => {
      expect(languageOf(path, content)).toBe(language as string);
    });
  }
});

describe("a file says itself what it is", () => {
  for (const [content, language] of [
    ["#!/bin/sh\n", "Shell"],
    ["#!/usr/bin/env python3\n", "Python"],
    ["#!/usr/bin/env -S deno run\n", "JavaScript"],
    ["#!/usr/bin/env A=1 ruby -w\n", "Ruby"],
    ["#! /usr/bin/python3.11\n", "Python"],
    ['#!/bin/sh\nexec tclsh "$0" "$@"\n', "Tcl"],
    ["#!/usr/bin/osascript -l JavaScript\n", undefined],
    ["# -*- mode: ruby -*-\n", "Ruby"],
    ["/* -*- C++ -*- */\n", "C++"],
    ["; -*- coding: utf-8; mode: Emacs-Lisp; -*-\n", "Emacs Lisp"],
    ["text\n# vim: set ft=ruby sw=2:\n", "Ruby"],
    ["# vim:noai:ft=python\n", "Python"],
    ["# vim: set ft=ruby\n", undefined],
    ['<?xml version="1.0"?>\n<a/>\n', "XML"],
    ["just words\n", undefined],
    ["#!\n", undefined],
  ] as const) {
    test(`${JSON.stringify(content)} is ${language ?? "of none"}`, () => {
      expect(languageOf("thing", content)).toBe(language as string);
    });
  }

  test("an empty file and a binary one are of no language", () => {
    expect(languageOf("a.c", "")).toBeUndefined();
    expect(languageOf("a.c", "int\0")).toBeUndefined();
    expect(languageOf("a.c", "\x89PNG\r\n\x1a\n")).toBeUndefined();
  });
});

test("what content leaves open, the neighbours decide", () => {
  const findings = new Map([["x.pp", linguist.examine("x.pp", "nothing told\n")]]);
  const kindOf = linguist.forTree(["x.pp", "a.pas", "b.pas"], { findings, attributes: [] });
  expect(kindOf("x.pp").language).toBe("Pascal");
});

test("blank lines without end do not hold up the rules, and names that anything has mean no language", () => {
  for (const path of ["a.as", "a.gsc", "a.h", "a.inc", "a.t", "a.tpl"]) {
    const found = languageOf(path, `${"\n".repeat(60_000)}!`) !== undefined;
    expect([path, found]).toEqual([path, !["a.inc", "a.t", "a.tpl"].includes(path)]);
  }
});

test("such names mean a language among files of it", () => {
  const nothing = { findings: new Map(), attributes: [] };
  const kindOf = linguist.forTree(["x.t", "a.psgi", "b.psgi"], nothing);
  expect(kindOf("x.t").language).toBe("Perl");
});

test("content is asked for only where it can tell more than the path", () => {
  for (const path of ["a.h", "thing", "a.js", "a.1", "src/b.py"]) {
    expect([path, linguist.isContentNeeded(path)]).toEqual([path, true]);
  }
  const object = "x/ab/0123456789abcdef0123456789abcdef012345";
  for (const path of ["a.json", "b.yml", "package.json", object]) {
    expect([path, linguist.isContentNeeded(path)]).toEqual([path, false]);
  }
});

test("any content is judged without a fault", () => {
  const paths = fc.constantFrom(
    ...["a", "a.h", "a.html", "a.js", "a.md", "a.pl", "a.bas", "a.ps", "a.cls", "a.gml", "a.scm"],
  );
  fc.assert(
    fc.property(paths, fc.string({ unit: "binary", maxLength: 400 }), (path, content) => {
      expect(Array.isArray(linguist.examine(path, content).candidates)).toBe(true);
    }),
  );
});
