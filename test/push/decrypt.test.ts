import { expect, test } from "bun:test";
import { decrypt } from "./decrypt.ts";

const bytes = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" });

test("the tests' browser reads the example of RFC 8291, appendix A", async () => {
  const publicKey = bytes(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  );
  const coordinate = (at: number) =>
    publicKey.slice(at, at + 32).toBase64({ alphabet: "base64url", omitPadding: true });
  const privateKey = await crypto.subtle.importKey(
    "jwk",
    {
      kty: "EC",
      crv: "P-256",
      x: coordinate(1),
      y: coordinate(33),
      d: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    },
    { name: "ECDH", namedCurve: "P-256" },
    false,
    ["deriveBits"],
  );
  const auth = bytes("BTBZMqHH6r4Tts7J_aSIgg");
  const body = bytes(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6" +
      "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qul" +
      "cy4a-fN",
  );
  expect(await decrypt({ privateKey, publicKey, auth }, body)).toBe(
    "When I grow up, I want to be a watermelon",
  );
});
