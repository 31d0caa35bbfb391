import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proof } from '../../../test/fakes/test-run.ts';
import { type DirectiveEvent, fileContent } from './directive.ts';
import { DirectiveParser, parseDirectives } from './directive-parser.ts';

const directives = (input: string) =>
  parseDirectives(input).flatMap((event) => {
    if (event.type !== 'directive') return [];
    const { target, action, body } = event.directive;
    return [[`${target}:${action}`, body]];
  });

/** Joins neighbours of one type, because a split may cut a text anywhere. */
function joined(events: readonly DirectiveEvent[]): readonly DirectiveEvent[] {
  const all: DirectiveEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last && last.type === event.type && 'text' in last && 'text' in event && last.type !== 'incomplete')
      all[all.length - 1] = { ...last, text: last.text + event.text };
    else all.push(event);
  }
  return all;
}

const sourceOf = (events: readonly DirectiveEvent[]): string =>
  events.map((e) => (e.type === 'directive' ? e.directive.source : 'text' in e ? e.text : '')).join('');

function parsePieces(pieces: readonly string[]): readonly DirectiveEvent[] {
  const parser = new DirectiveParser();
  return joined([...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()]);
}

const fence = (name: string, body: string, mark = '```'): string => `${mark}${name}\n${body}\n${mark}\n`;

const samples: readonly string[] = [
  `Hello ä 🐕\n\n${fence('bash:execute', 'ls -la\necho 1')}\n${fence('python:execute', 'print(1)')}Done.\n`,
  fence('notes.md:create', '# A\n```js\nlet a;\n```\nend', '```'),
  fence('notes.md:create', '# A\n```\nlet a;\n```\nend', '````'),
  '~~~node:execute\r\nconsole.log(`a`)\r\n~~~\r\n',
  '<function_calls>\n  <invoke name="bash:execute">\n<parameter name="command">a &lt; b <![CDATA[</invoke>]]></parameter>\n</invoke>\n</function_calls>\n',
  '```text\n```bash:execute\nls\n```\n',
  '   ```bash:execute\n   a\n    b\n   ```',
  'a `b` ``c`` ```d``` ~~e~~ <f> <invoke>\n```bash:execute\nnever closed',
  '<invoke name="bash:execute"><parameter name="command">never closed',
];

describe('directives', () => {
  it('reads fences of backticks and tildes, in any case, with spaces and CRLF', () => {
    expect(directives(fence('bash:execute', 'ls'))).toEqual([['bash:execute', 'ls']]);
    expect(directives('~~~~py:EXECUTE  \r\na\r\n\r\nb\r\n~~~~\r\n')).toEqual([['py:execute', 'a\n\nb']]);
    expect(directives('```bash:execute\nls\n```')).toEqual([['bash:execute', 'ls']]);
    expect(directives('  ```bash:execute\n  a\n    b\n  ```')).toEqual([['bash:execute', 'a\n  b']]);
    expect(directives('    ```bash:execute\nls\n```\n')).toEqual([]);
  });

  it('keeps the bytes of a file', () => {
    expect(directives('```a.txt:create\nx\r\n\r\ny\n```')).toEqual([['a.txt:create', 'x\r\n\r\ny']]);
    const [event] = parseDirectives('```a.txt:create\nx\n\n```');
    expect(event?.type === 'directive' && fileContent(event.directive)).toBe('x\n\n');
    const [empty] = parseDirectives('```a.txt:create\n```');
    expect(empty?.type === 'directive' && fileContent(empty.directive)).toBe('');
  });

  it('closes a fence only at a line with as many marks', () => {
    expect(directives('```bash:execute\necho "```"\n ``\n~~~\n```')).toEqual([
      ['bash:execute', 'echo "```"\n ``\n~~~'],
    ]);
    expect(directives(fence('a.md:create', 'a\n```\nb\n```\nc', '````'))).toEqual([
      ['a.md:create', 'a\n```\nb\n```\nc'],
    ]);
  });

  it('nests code blocks with a language in a file', () => {
    const body = '# A\n```js\nlet a;\n```\n```py\nb\n```\nend';
    expect(directives(fence('a.md:create', body))).toEqual([['a.md:create', body]]);
  });

  it('takes no directive from other code blocks and from inline code', () => {
    expect(directives('```markdown\n~~~bash:execute\nls\n~~~\n```\n')).toEqual([]);
    expect(directives('Use ```bash:execute\nls\n```\n')).toEqual([]);
    expect(directives('```text\n<invoke name="bash:execute">ls</invoke>\n```\n')).toEqual([]);
    expect(directives('see `<invoke name="bash:execute">ls</invoke>`')).toEqual([]);
    expect(directives('```bash:run\nls\n```\n```b c:execute\nls\n```\n')).toEqual([]);
  });

  it('reads XML calls with entities, CDATA and no parameter', () => {
    const call = (inner: string) => `<invoke name='bash:execute'>${inner}</invoke>`;
    expect(directives(call('\nls &amp;&amp; echo &#x41;&#66;\n'))).toEqual([
      ['bash:execute', 'ls && echo AB'],
    ]);
    expect(
      directives(call('<parameter name="command"><![CDATA[a < b </invoke> &lt;]]></parameter>')),
    ).toEqual([['bash:execute', 'a < b </invoke> &lt;']]);
    expect(directives(call('<![CDATA[<parameter>]]>'))).toEqual([['bash:execute', '<parameter>']]);
    const two = `<function_calls>\n${call('a')}\n${call('b')}\n</function_calls>`;
    expect(directives(two).map(([, body]) => body)).toEqual(['a', 'b']);
    expect(directives(`${fence('a.txt:create', call('a'))}`)).toEqual([['a.txt:create', call('a')]]);
  });

  it('keeps the order of fences and XML calls', () => {
    const both = `${fence('bash:execute', 'a')}<invoke name="bash:execute">b</invoke>\n${fence('bash:execute', 'c')}`;
    expect(directives(both).map(([, body]) => body)).toEqual(['a', 'b', 'c']);
  });

  it('stops at prose after a group, and keeps the group', () => {
    const parser = new DirectiveParser();
    const found = parser.push(`${fence('bash:execute', 'a')}\n \n${fence('bash:execute', 'b')}It`);
    expect(found.filter(({ type }) => type === 'directive')).toHaveLength(2);
    expect(parser.isStopped).toBe(true);
    const rest = [...parser.push(` printed 3.\n${fence('bash:execute', 'c')}`), ...parser.end()];
    expect(rest.every(({ type }) => type === 'dropped')).toBe(true);
    expect(
      directives(`${fence('bash:execute', 'a')}${fence('output', '3')}${fence('bash:execute', 'b')}`),
    ).toEqual([['bash:execute', 'a']]);
  });

  it('reports a directive that the answer cut off, and never returns it as one', () => {
    const events = parseDirectives('Hi\n```bash:execute\nrm -rf x\n');
    const text = '```bash:execute\nrm -rf x\n';
    expect(events).toEqual([
      { type: 'text', text: 'Hi\n' },
      { type: 'incomplete', target: 'bash', action: 'execute', text },
    ]);
    expect(directives('<invoke name="bash:execute">ls</invoke')).toEqual([]);
  });

  it('holds text back only while its line may open a directive', () => {
    const parser = new DirectiveParser();
    const text = (delta: string) => sourceOf(parser.push(delta));
    expect(text('Hello')).toBe('Hello');
    expect(text(' `a` ```b')).toBe(' `a` ```b');
    expect(text('\n``')).toBe('\n');
    expect(text('x')).toBe('``x');
    expect(text('\n<b')).toBe('\n<b');
  });
});

describe('directives of a stream', () => {
  it('are the same at every split into two pieces, and into characters', () => {
    for (const sample of samples) {
      const whole = joined(parseDirectives(sample));
      expect(sourceOf(whole)).toBe(sample);
      for (let at = 0; at <= sample.length; at += 1)
        expect(parsePieces([sample.slice(0, at), sample.slice(at)])).toEqual(whole);
      expect(parsePieces([...sample].flatMap((each) => each.split('')))).toEqual(whole);
    }
  });

  it('are the same at every split of the bytes', () => {
    for (const sample of samples) {
      const bytes = new TextEncoder().encode(sample);
      for (let at = 0; at <= bytes.length; at += 1) {
        const decoder = new TextDecoder();
        const pieces = [
          decoder.decode(bytes.slice(0, at), { stream: true }),
          decoder.decode(bytes.slice(at)),
        ];
        expect(parsePieces(pieces)).toEqual(joined(parseDirectives(sample)));
      }
    }
  });

  const token = fc.oneof(
    fc.constantFrom(
      '`',
      '``',
      '```',
      '````',
      '~~~',
      '\n',
      '\r\n',
      ' ',
      '    ',
      'bash',
      'a/b.md',
      ':',
      ':execute',
      ':create',
      '```bash:execute\n',
      '~~~x:create\r\n',
      '\n```\n',
      '\n~~~',
      '<',
      '>',
      '<invoke name="bash:execute">',
      '<invoke',
      '</invoke>',
      '<parameter name="a">',
      '</parameter>',
      '<![CDATA[',
      ']]>',
      '&lt;',
      '<function_calls>',
      '</function_calls>',
      'prose ',
      'ä',
      '🐕',
    ),
    fc.string({ maxLength: 4 }),
  );
  const stream = fc.array(fc.tuple(token, fc.boolean()), { maxLength: 40 });

  it('lose nothing, are independent of the split, and never show code as text', () => {
    fc.assert(
      fc.property(stream, (tokens) => {
        const pieces: string[] = [''];
        for (const [text, cut] of tokens) {
          if (cut) pieces.push(text);
          else pieces[pieces.length - 1] += text;
        }
        const input = pieces.join('');
        const whole = joined(parseDirectives(input));
        expect(sourceOf(whole)).toBe(input);
        expect(parsePieces(pieces)).toEqual(whole);
        const stop = whole.findIndex(({ type }) => type === 'stop');
        if (stop !== -1) expect(whole.slice(stop + 1).every(({ type }) => type === 'dropped')).toBe(true);
      }),
      { numRuns: proof ? 100_000 : 1_000 },
    );
  }, 600_000);

  it('cost time in proportion to their length: quadratic work would outlast the time limit', () => {
    const hostile = [
      '`',
      '```',
      '~',
      ' ',
      '\n',
      '<',
      '<invoke ',
      '```a:create\n',
      '<![CDATA[',
      ']]>',
      '&lt;',
      '<parameter ',
    ];
    const size = 300_000;
    for (const piece of hostile) {
      const text = piece.repeat(size / piece.length);
      const input = `${text}\n<invoke name="a:create">${text}</invoke>`;
      expect(sourceOf(parsePieces(input.match(/[\s\S]{1,1000}/g) ?? []))).toBe(input);
    }
  }, 60_000);
});
