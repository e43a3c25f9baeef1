import { describe, expect, test } from "bun:test";
import { findDefinition } from "../../../../src/ingest/git/evidence/definition.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";

const { subjectsOf } = createVocabulary();

/** By README, what it is about. */
const readmes: Record<string, string> = {
  "# Reed\n\nReed is a programming language for small machines like toasters and games.":
    "compilers",
  "[![build](https://ci.example/x.svg)](https://ci.example)\n\n# Reed\n\nChat with us about games!\n\nReed is a static site generator.":
    "ssr",
  '<p align="center"><img src="a.png"></p>\n<h1>Reed</h1>\n<p>A fast MQTT broker</p>': "mqtt",
  "====\nReed\n====\n\n.. image:: https://ci.example/x.svg\n   :target: https://ci.example\n\nReed is a web vulnerability scanner written in Python.":
    "pentesting",
  "# Reed\n\nReed is:\n\n- A scripting language.\n- Small.": "compilers",
  "### Acme is an AI agent\n\n# Reed\n\nreed: a mail server for villages.": "email",
  "# Reed\n\nData validation framework for Python that checks tables.": "data-engineering",
  "# Reed\n\nThis project provides support for game engines.": "",
  "# Reed\n\nReed is an [i3]-compatible [Wayland] compositor.": "window-managers",
  "# Reed\n\nA copy of the 1997 sim Theme Hospital.": "",
  "# Reed\n\n* runs games\n* scrapes pages\n\n## License\n\nReed is free software.": "",
  "# Reed\n\nThis library helps you build things without machine learning.": "",
  "# Reed\n\nReed is small.\n\n## Security\n\nAcme is an advocate of vulnerability disclosure, a web scanner.":
    "",
  "# Reed\n\nA framework to train models for audio processing, speech recognition, forecasting, search and more.":
    "",
  "# Reed\n\nReed is an emulator of old consoles.": "emulation",
  "# Reed\n\nA small terminal emulator.": "cli",
  "# Reed\n\nReed is a tool to read data structures, event-driven.": "",
  "# Reed\n\nReed is a collector for hardware and OS metrics that kernels expose.": "",
  "# Reed\n\nReed is a framework using Java (or Go) for robotics, toys and games.": "robotics",
  "# Reed\n\nReed is the package manager for the Acme programming language.": "developer-tools",
  "# Reed\n\n> A browser extension that tidies pages": "chrome-extension",
  "# Reed\n\nReed is a feed reader for macOS and iOS.": "rss macos ios",
  "# Reed\n\nReed is a thing for Windows.": "windows",
  "# Reed\n\nReed is a thing for Windows, macOS and Linux.": "",
  "# Reed\n\nReed is a library for optimising images and recommending books.":
    "recommender-systems",
  "# Reed\n\nReed is a web publication system.": "cms",
  "# Reed\n\nReed is a data visualiser.": "data-visualization",
  "# Reed\n\nVisual languages are a great thing for games.": "",
  "": "",
};

describe("what a project is", () => {
  test.each(Object.entries(readmes))("%j is about %s", (readme, subjects) => {
    const { title, sentence, line } = findDefinition(readme, "reed");
    const found = subjectsOf(`${title} .\n${sentence} .\n${line}`);
    for (const subject of subjects.split(" ").filter(Boolean)) expect(found).toContain(subject);
    if (subjects === "") expect(found).toEqual([]);
    expect(found.includes("compilers")).toBe(subjects === "compilers");
    expect(found).not.toContain("ai-agents");
  });

  test("is cut where examples and means begin", () => {
    const { sentence } = findDefinition(
      "# Reed\n\nReed is an engine for maps such as those of games.",
      "reed",
    );
    expect(sentence).toContain("engine for maps");
    expect(sentence).not.toContain("games");
  });

  test("is found in bounded time, whatever the text", () => {
    const pieces = ["[".repeat(9000), "<".repeat(9000), "`".repeat(9000), "*_".repeat(9000)];
    const texts = [...pieces, "is a ".repeat(9000), "|a|".repeat(9000), "\n=\n".repeat(9000)];
    for (const text of texts) {
      const { sentence, line } = findDefinition(`# Reed\n${text}`, "reed");
      expect(sentence.length + line.length).toBeLessThan(1000);
    }
  });
});
