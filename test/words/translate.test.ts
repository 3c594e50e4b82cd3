import { afterEach, describe, expect, test } from "bun:test";
import { ApiError } from "../../public/app/connection/api.ts";
import { languageFor, localeFor } from "../../public/app/words/language.ts";
import {
  currentLanguage,
  formatList,
  loadArea,
  currentLocale,
  tRich,
  t,
  setLanguage,
} from "../../public/app/words/translate.ts";
import { dayAhead, whenAhead } from "../../public/app/parts/times.ts";
import { describeError, describeFieldError } from "../../public/app/words/describe-error.ts";

afterEach(() => setLanguage("en", "en-GB"));

describe("the language", () => {
  test.each([
    [null, ["de-AT", "en"], "de", "de-AT"],
    [null, ["fr", "es-MX"], "es", "es-MX"],
    [null, ["fr"], "en", "en"],
    [null, ["en-US@posix", "en-GB"], "en", "en-GB"],
    [null, ["en-US@posix"], "en", "en"],
    ["es", ["de-AT", "en-GB"], "es", "es"],
    ["en", ["de-AT", "en-GB"], "en", "en-GB"],
    ["tlh", ["DE"], "de", "DE"],
  ] as const)(
    "chosen %p of a browser with %p is %p, written as in %p",
    (chosen, wanted, spoken, written) => {
      const language = languageFor(chosen, wanted);
      expect<string[]>([language, localeFor(language, wanted)]).toEqual([spoken, written]);
    },
  );

  test("is the one that was chosen last, however late the words of another arrive", async () => {
    await Promise.all([
      setLanguage("de", "de"),
      setLanguage("es", "es-ES"),
      setLanguage("de", "de-DE"),
    ]);
    expect([currentLanguage(), currentLocale(), t("close")]).toEqual(["de", "de-DE", "Schließen"]);
  });
});

describe("a message", () => {
  test("is formatted in each language, with its plural", async () => {
    const shown = () => [1, 2].map((count) => t("error.unknown") && t("shell.mentions", { count }));
    expect(shown()).toEqual(["1 mention", "2 mentions"]);
    await setLanguage("de", "de");
    expect(shown()).toEqual(["1 Erwähnung", "2 Erwähnungen"]);
  });

  test("has the article of a coming day in Spanish", async () => {
    const now = new Date(2026, 2, 5, 8);
    const at = (day: number) => new Date(2026, 2, day, 9);
    const days = () => [6, 9, 20].map((day) => dayAhead(at(day), now));
    expect(days()).toEqual(["tomorrow", "Monday", "20 March"]);
    await setLanguage("es", "es-ES");
    expect(days()).toEqual(["mañana", "el lunes", "el 20 de marzo"]);
    expect(t("mute.until", { when: whenAhead(at(9), now) })).toBe(
      "Silenciada hasta el lunes, 9:00",
    );
  });

  test("about people has the verb of one or of several", async () => {
    const shown = () =>
      [1, 2].map((count) =>
        t("timeline.joined", { names: count === 1 ? "Ada" : "Ada y Grace", count }),
      );
    await setLanguage("es", "es");
    expect(shown()).toEqual(["Ada se unió a la sala", "Ada y Grace se unieron a la sala"]);
  });

  test("of an area follows a change of language", async () => {
    await loadArea("rest");
    expect(t("browse.about", { count: 1 })).toBe("1 member");
    await setLanguage("de", "de");
    expect(t("browse.about", { count: 1_234 })).toBe("1.234 Mitglieder");
  });

  test("with tags passes the content of each to its renderer", async () => {
    await loadArea("rest");
    const drawn = tRich("browse.join", { room: "den", hidden: (inner) => ({ inner }) as never });
    expect(drawn).toEqual(["Join ", { inner: ["den"] }] as never);
  });

  test("with a list joins it as the language does", async () => {
    await setLanguage("de", "de");
    expect(formatList(["Ada", "Grace", "Linus"])).toBe("Ada, Grace und Linus");
  });

  test("does not compile with an unknown key or a missing argument", () => {
    // Never called. Each line is a mistake: `bun check` fails if one of them compiles.
    const wrong = () => {
      // @ts-expect-error there is no such key
      t("no-such-key");
      // @ts-expect-error the name is missing
      t("members.is-back");
      // @ts-expect-error it has another argument
      t("members.is-back", { room: "den" });
      // @ts-expect-error a plural takes a number
      t("size.bytes", { count: "many" });
      // @ts-expect-error the part is not drawn
      tRich("browse.join", { room: "den" });
    };
    expect(wrong).toBeFunction();
  });
});

describe("an error", () => {
  const refused = (code: ConstructorParameters<typeof ApiError>[0], path = "/name") =>
    new ApiError(code, "The detail.", 422, [{ path, message: "The message." }]);

  test("is described in English in the service's words", () => {
    expect(describeError(refused("room_name_taken"))).toBe("The detail.");
    expect(describeFieldError(refused("room_name_taken"), "name")).toBe("The message.");
    expect(describeFieldError(refused("room_name_taken"), "email")).toBeUndefined();
  });

  test("is described in another language by its code, and beside a field by the field", async () => {
    await setLanguage("de", "de");
    expect(describeError(refused("delivery_failed"))).toBe(
      "Die E-Mail konnte nicht gesendet werden. Der Server meldet: The detail.",
    );
    expect(describeFieldError(refused("username_taken", "/username"), "username")).toBe(
      "Dieser Benutzername ist vergeben. Wähle einen anderen.",
    );
    expect(describeFieldError(refused("validation", "/email"), "email")).toBe(
      "Das ist keine E-Mail-Adresse.",
    );
    expect(describeFieldError(refused("validation", "/other"), "other")).toBe("The message.");
    expect(describeError(refused("seq_gone"))).toBe("The detail.");
  });

  test("is described if there is no answer, or an unknown one", async () => {
    expect(describeError(new ApiError("offline"))).toBe("Can't reach Snug. Check your connection.");
    expect(describeError(new Error("odd"))).toBe("Something went wrong. Try again.");
    await setLanguage("es", "es");
    expect(describeError(new ApiError("offline"))).toBe(
      "No se puede acceder a Snug. Comprueba tu conexión.",
    );
  });
});
