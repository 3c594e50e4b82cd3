let isInTest = false;
let works: (() => unknown)[] = [];

/** Does something after the test that runs; outside of one, as in a `beforeAll`, it does nothing. */
export function afterThisTest(work: () => unknown): void {
  if (isInTest) works.push(work);
}

/** Before each test. */
export function startTest(): void {
  isInTest = true;
}

/** After each test. */
export async function endTest(): Promise<void> {
  isInTest = false;
  const due = works;
  works = [];
  await Promise.all(due.map((work) => work()));
}
