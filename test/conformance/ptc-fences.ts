/** Cases of fenced code directives, through the product's own parser, whole and split at every character. */
import { z } from 'zod';
import type { DirectiveEvent } from '../../src/core/ptc/directive.ts';
import { DirectiveParser, parseDirectives } from '../../src/core/ptc/directive-parser.ts';
import { expectSame, type Suite, testCase } from './case.ts';

const caseSchema = z.looseObject({
  name: z.string(),
  input: z.string(),
  want: z.array(z.looseObject({ target: z.string(), action: z.string(), body: z.string() })),
});

const directivesOf = (events: readonly DirectiveEvent[]) =>
  events.flatMap((event) => {
    if (event.type !== 'directive') return [];
    const { target, action, body } = event.directive;
    return [{ target, action, body }];
  });

function checkCase(value: unknown): void {
  const { input, want } = caseSchema.parse(value);
  const wanted = want.map(({ target, action, body }) => ({ target, action, body }));
  expectSame(directivesOf(parseDirectives(input)), wanted, 'directives');
  for (let at = 0; at <= input.length; at += 1) {
    const parser = new DirectiveParser();
    const events = [...parser.push(input.slice(0, at)), ...parser.push(input.slice(at)), ...parser.end()];
    expectSame(directivesOf(events), wanted, `directives of the input split at ${at}`);
  }
}

const nameOf = (value: unknown, index: number): string =>
  caseSchema.pick({ name: true }).safeParse(value).data?.name ?? `case ${index + 1}`;

export const ptcFences: Suite = {
  cases: (value) =>
    z
      .array(z.unknown())
      .parse(value)
      .map((each, index) => testCase(nameOf(each, index), () => checkCase(each))),
};
