/** What a posting program is told instead of `ok`: a status, and one word in plain text. */
export class Answer extends Error {
  override readonly name = "Answer";

  constructor(
    readonly status: number,
    word: string,
  ) {
    super(word);
  }
}
