import type { Message } from "../../../src/wire/models.ts";
import { TextLine } from "../parts/markdown/text-line.tsx";
import { asBeginning } from "../parts/times.ts";
import { describeContent } from "../session/conversation-label.tsx";
import { altOf } from "./message-author.tsx";

export function MessageLine({ message }: { message: Message }) {
  if (message.content) return <TextLine text={message.content} />;
  return message.image ? asBeginning(altOf(message)) : describeContent(message);
}
