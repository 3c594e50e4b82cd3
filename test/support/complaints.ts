import { expect } from "bun:test";

let complaints: string[] = [];
let allowed: RegExp[] = [];

/** What a page writes to its console as an error, or does not catch. */
export function recordComplaint(line: string): void {
  complaints.push(line);
}

/** For a test whose pages have to complain. */
export function allowComplaints(pattern: RegExp): void {
  allowed.push(pattern);
}

/** Fails for what pages complained about since the last call. */
export function expectNoComplaints(): void {
  const unexpected = complaints.filter((line) => !allowed.some((pattern) => pattern.test(line)));
  complaints = [];
  allowed = [];
  expect(unexpected).toEqual([]);
}
