import { route } from "../session/navigation.ts";
import { Forgot, Reset } from "./forgotten-password.tsx";
import { SignIn } from "./sign-in.tsx";
import { SignUp } from "./sign-up.tsx";

/** The screens for people who are not signed in. */
export function SignedOut() {
  const here = route.value;
  if (here.name === "signup") return <SignUp token={here.token} />;
  if (here.name === "reset") return <Reset token={here.token} />;
  if (here.name === "forgot") return <Forgot />;
  return <SignIn />;
}
