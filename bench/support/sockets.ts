import type { Person } from "./bed.ts";

export type Heard = (text: string, at: number) => void;

/** Opens an authenticated socket and waits for its `hello`. */
export function openSocket(
  address: string,
  person: Person,
  heard: Heard = () => {},
): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const { cookie, authorization } = person;
  const headers = authorization ? { authorization } : { cookie, origin: address };
  const socket = new WebSocket(`${address.replace("http", "ws")}/ws/chat`, {
    headers,
  } as unknown as string[]);
  socket.onclose = ({ code }) => reject(new Error(`closed ${code}`));
  // A process that ends closes its sockets: that is no error.
  promise.catch(() => {});
  socket.onmessage = ({ data }) => {
    const text = String(data);
    if (text.startsWith('{"type":"hello"')) resolve(socket);
    heard(text, performance.now());
  };
  return promise;
}

/** Opens many sockets, a few at a time. */
export async function openSockets(
  address: string | ((index: number) => string),
  people: Person[],
  heard: (index: number) => Heard = () => () => {},
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  const AT_ONCE = 100;
  const addressOf = typeof address === "string" ? () => address : address;
  for (let i = 0; i < people.length; i += AT_ONCE) {
    const part = people.slice(i, i + AT_ONCE);
    sockets.push(
      ...(await Promise.all(
        part.map((item, k) => openSocket(addressOf(i + k), item, heard(i + k))),
      )),
    );
  }
  return sockets;
}
