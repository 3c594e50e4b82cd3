import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../support/client.ts";
import { findTexts, indexEverything, search } from "../support/search.ts";
import { World } from "../support/world.ts";

let world: World;
/** A bot: people may not search so often. */
let finder: Client;

/** What ada writes in #general, a line each, in this order. */
const TEXTS = {
  deploy: "We deployed the release, at last",
  cafe: "Un café au lait, s'il vous plaît",
  street: "Die Straße nach Øresund und Łódź",
  turkish: "IŞIK kapalı, İstanbul'a gidiyoruz",
  greek: "Ο ΣΊΣΥΦΟΣ σπρώχνει τον βράχο",
  cyrillic: "Ёлка горит, позвоните Андрею",
  arabic: "مُحَمَّد كتب أحمد رسالة",
  hebrew: "שָׁלוֹם לכולם",
  hindi: "शक्ति और शांति",
  chinese: "我家在上海东边",
  mixed: "重跑gen-itgc后再看",
  japanese: "カタカナで書いた東京タワー",
  halfwidth: "ｶﾞｷﾞの話",
  korean: "한국어 메시지를 보냅니다",
  thai: "ฉันรักภาษาไทยมาก",
  lao: "ພາສາລາວງາມຫຼາຍ",
  khmer: "ភាសាខ្មែរល្អណាស់",
  burmese: "မြန်မာဘာသာစကား",
  emoji: "Great 👍🏽 with ❤️ from 👩‍👩‍👧",
  identifier: "call getUserName_v2 in HTTPServer",
  file: "the bug is in src/feed/feed.ts:120",
  path: "see C:\\Windows\\system32 or /usr/local/bin",
  version: "released v1.2.3-rc.1 today",
  address: "host 10.100.200.101 answers, fe80::1 does not",
  url: "look at https://example.org/issues/4711?tab=log#top",
  languages: "I prefer C++ and C# to .NET",
  phrase: "the box ran **out of memory** again",
  apart: "memory ran out of the box",
  short: "it is on me, ok",
  underscore: "_Emphasis_ and __init__ here",
  time: "standup at 09:35 sharp",
  quote: "she said “don’t panic” twice",
};
type Key = keyof typeof TEXTS;

beforeAll(async () => {
  world = await World.start();
  const ada = await world.person("ada");
  finder = await world.bot("finder", ["read:messages"]);
  const general = await world.room("general", ada, [finder]);
  for (const text of Object.values(TEXTS)) await ada.say(general, text);
  await indexEverything(world.database);
});
afterAll(() => world.stop());

const CASES: [q: string, ...hits: Key[]][] = [
  // Words and their beginnings.
  ["deployed", "deploy"],
  ["deplo", "deploy"],
  ["DEPLOYED release", "deploy"],
  ["ployed"],
  ["deployed rocket"],
  ["it", "short"],
  ["i", "languages"],
  ["on", "short"],
  // Letters with marks.
  ["cafe", "cafe"],
  ["CAFÉ", "cafe"],
  ["cafe\u0301", "cafe"],
  ["strasse", "street"],
  ["oresund lodz", "street"],
  ["isik", "turkish"],
  ["ışık", "turkish"],
  ["istanbul", "turkish"],
  ["İSTANBUL", "turkish"],
  // Greek, Cyrillic, Arabic, Hebrew, Hindi.
  ["σίσυφος", "greek"],
  ["ΣΙΣΥΦΟΣ", "greek"],
  ["βραχο", "greek"],
  ["елка", "cyrillic"],
  ["ЁЛКА", "cyrillic"],
  ["андре", "cyrillic"],
  ["محمد", "arabic"],
  ["احمد", "arabic"],
  ["שלום", "hebrew"],
  ["शक्ति", "hindi"],
  ["शक"],
  // Scripts without spaces.
  ["上海", "chinese"],
  ["海", "chinese"],
  ["上海东边", "chinese"],
  ["海上"],
  ["上东"],
  ["gen", "mixed"],
  ["gen-itgc", "mixed"],
  ["重跑", "mixed"],
  ["東京", "japanese"],
  ["タワー", "japanese"],
  ["かたかな"],
  ["ガギ", "halfwidth"],
  ["메시지", "korean"],
  ["어", "korean"],
  ["ภาษาไทย", "thai"],
  ["ລາວ", "lao"],
  ["ลาว"],
  ["ខ្មែរ", "khmer"],
  ["ខែរ"],
  ["ဘာသာ", "burmese"],
  ["သာမြန်"],
  // Emoji.
  ["👍", "emoji"],
  ["👍🏿", "emoji"],
  ["❤", "emoji"],
  ["👩‍👩‍👧", "emoji"],
  ["🎉"],
  // Identifiers, paths, versions, addresses.
  ["getUserName_v2", "identifier"],
  ["getusername", "identifier"],
  ["username"],
  ["user", "identifier"],
  ["server", "identifier"],
  ['"server"'],
  ["feed.ts", "file"],
  ["src/feed", "file"],
  ["feed/ts"],
  ["feed.ts:120", "file"],
  ["C:\\Windows", "path"],
  ["/usr/local", "path"],
  ["usr/bin"],
  ["v1.2.3", "version"],
  ["1.2.3-rc.1"],
  ["10.100.200.101", "address"],
  ["10.100.200", "address"],
  ["100.10"],
  ["fe80::1", "address"],
  ["09:35", "time"],
  ["https://example.org/issues/4711", "url"],
  ["example.org", "url"],
  ["issues 4711", "url"],
  ["C++", "languages"],
  ["C#", "languages"],
  [".NET", "languages"],
  // Phrases and negation.
  ['"out of memory"', "phrase"],
  ['"out of"', "apart", "phrase"],
  ['"ut of memory"'],
  ["“out of memory”", "phrase"],
  ["out memory", "apart", "phrase"],
  ["memory -again", "apart"],
  ['memory -"out of memory"', "apart"],
  ["memory -mem"],
  ["emphasis", "underscore"],
  ["__init__", "underscore"],
  ["don't", "quote"],
  ["(panic)", "quote"],
  ["panic?", "quote"],
];

test.each(CASES)("%s", async (q, ...hits) => {
  expect(await findTexts(finder, q)).toEqual(hits.map((key) => TEXTS[key]));
});

test("matches cover whole words, in UTF-16, sorted and disjoint", async () => {
  const marked = async (q: string) => {
    const [item] = (await search(finder, { q })).items;
    return item?.matches.map(([start, end]) => item.message.content?.slice(start, end));
  };
  expect(await marked("deplo release")).toEqual(["deployed", "release"]);
  expect(await marked("上海东")).toEqual(["上海东"]);
  expect(await marked("user")).toEqual(["getUserName_v2"]);
  expect(await marked('"out of memory" memor')).toEqual(["out of memory"]);
  expect(await marked("isik")).toEqual(["IŞIK"]);
  expect(await marked("👩‍👩‍👧 great")).toEqual(["Great", "👩‍👩‍👧"]);
  expect(await marked("from:ada gaki")).toBeUndefined();
  expect(await marked("ガギ")).toEqual(["ｶﾞｷﾞ"]);
});
