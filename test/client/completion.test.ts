import { describe, expect, test } from "bun:test";
import { emojiByName, searchEmoji } from "../../public/app/parts/emoji/data.ts";
import {
  completionQueryAt,
  closeGap,
  insertCompletion,
  memberCandidates,
  roomCandidates,
} from "../../public/app/state/composer/completion-candidates.ts";
import { setEmoji } from "../../public/app/state/timeline/react.ts";
import type { Member, MyRoom } from "../../src/wire/models.ts";

/** The caret stands where the bar is. */
function at(marked: string) {
  const caret = marked.indexOf("|");
  return completionQueryAt(marked.replace("|", ""), caret);
}

describe("what is being typed", () => {
  test.each([
    ["@|", { kind: "mention", query: "", from: 0, to: 1 }],
    ["hello @Ad| there", { kind: "mention", query: "ad", from: 6, to: 9 }],
    ["(#gen|", { kind: "room", query: "gen", from: 1, to: 5 }],
    [":thu|", { kind: "emoji", query: "thu", from: 0, to: 4 }],
  ])("%s", (text, asked) => expect(at(text)).toEqual(asked as never));

  test.each([["ada@example|"], [":)|"], ["it is 10:30|"], ["`@ad|"], ["```\n@ad|"], ["plain|"]])(
    "%s is no name",
    (text) => expect(at(text)).toBeNull(),
  );

  test("is replaced by what was chosen, with a blank after it", () => {
    const asked = at("hello @ad|");
    const candidate = { key: "1", insert: "@ada", label: "Ada", hint: "" };
    expect(insertCompletion("hello @ad", asked as never, candidate)).toEqual({
      text: "hello @ada ",
      caret: 11,
    });
    expect(insertCompletion("hello @ad there", asked as never, candidate).text).toBe(
      "hello @ada there",
    );
  });
});

const member = (username: string, display_name: string | null = null): Member => ({
  user: {
    id: username,
    username,
    display_name,
    avatar_url: null,
    is_bot: false,
    is_active: true,
    profile_version: 1,
  },
  role: "member",
  joined_at: "",
  status: "online",
});

describe("candidates", () => {
  test("are members by username first, then by any word of their display name", () => {
    const members = [member("zoe", "Ada Zimmer"), member("adam"), member("bob", "Bob Noyce")];
    expect(memberCandidates(members, "ad").map((candidate) => candidate.insert)).toEqual([
      "@adam",
      "@zoe",
    ]);
    expect(memberCandidates(members, "noy").map((candidate) => candidate.label)).toEqual([
      "Bob Noyce",
    ]);
  });

  test("are the user's rooms, by where the name has the query", () => {
    const rooms = ["design", "redesign", "general"].map((name) => ({ id: name, name }) as MyRoom);
    expect(roomCandidates(rooms, "des").map((candidate) => candidate.insert)).toEqual([
      "#design",
      "#redesign",
    ]);
  });

  test("are emoji by name, then by words", () => {
    expect(searchEmoji("tada", 3)[0]?.emoji).toBe("🎉");
    expect(searchEmoji("thumbs up", 1)[0]?.emoji).toBe("👍");
    expect(emojiByName("+1")?.tones).toHaveLength(5);
    expect(emojiByName("tada")?.tones).toEqual([]);
  });
});

describe("a reaction that is toggled", () => {
  test("comes, grows, shrinks and goes", () => {
    const reactions = setEmoji([], "👍", "ada", true);
    expect(reactions).toEqual([{ emoji: "👍", count: 1, user_ids: ["ada"] }]);
    const two = setEmoji(reactions, "👍", "bob", true);
    expect(two).toEqual([{ emoji: "👍", count: 2, user_ids: ["ada", "bob"] }]);
    expect(setEmoji(two, "👍", "ada", false)).toEqual([
      { emoji: "👍", count: 1, user_ids: ["bob"] },
    ]);
    expect(setEmoji(reactions, "👍", "ada", false)).toEqual([]);
    expect(setEmoji(two, "👍", "ada", true)).toEqual(two);
  });
});

test("the blank after a completed name goes when the sign of a sentence follows", () => {
  expect(closeGap("Hello @bob ", 11, ",", 11)).toEqual({ text: "Hello @bob,", start: 11, end: 11 });
  expect(closeGap("Hello @bob ", 11, "a", 11)).toBeNull();
  // A blank that someone typed stays.
  expect(closeGap("Hello @bob ", 11, ",", null)).toBeNull();
});
