import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Prompt {
  say(text: string): void;
  /** One typed line without its surrounding spaces; null where the input has ended. `hidden`: it is not shown. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string | null>;
  close(): void;
}

/** Questions on a terminal, or answers line by line from a pipe. `interrupted` is called on Ctrl-C. */
export function createPrompt(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  interrupted: () => void,
): Prompt {
  let isHidden = false;
  const visibleOutput = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  // Without a history, from which ↑ would bring a hidden answer into the next question.
  const lines = createInterface({
    input,
    output: visibleOutput,
    terminal: input.isTTY === true,
    historySize: 0,
  });
  lines.on('SIGINT', interrupted);
  const answers = lines[Symbol.asyncIterator]();
  return {
    say: (text) => void output.write(`${text}\n`),
    async ask(question, options = {}) {
      output.write(`${question} `);
      isHidden = options.hidden === true;
      const { value, done: hasEnded } = await answers.next();
      if (isHidden || input.isTTY !== true) output.write('\n');
      isHidden = false;
      return hasEnded === true ? null : value.trim();
    },
    close: () => lines.close(),
  };
}
