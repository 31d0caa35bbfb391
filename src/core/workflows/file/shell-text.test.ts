// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { parsePipeline } from '../pipeline/parse.ts';
import type { Json, TemplateScope } from './definition.ts';
import { renderPipeline } from './pipeline-text.ts';
import { readsTwice, renderShell, unsafePlace } from './shell-text.ts';
import { parseTemplate } from './template.ts';

const names = { steps: new Set(['a']), args: new Set(['v']), loops: new Set<string>() };
const scope = (v: Json): TemplateScope => ({ args: { v }, steps: { a: { stdout: String(v) } }, loop: {} });
const template = (text: string) => parseTemplate(text, names);
const shell = (text: string, v: Json) => {
  const rendered = renderShell(template(text), scope(v));
  return rendered.ok ? rendered.value : null;
};
const pipeline = (text: string, v: Json) => {
  const rendered = renderPipeline(template(text), scope(v));
  return rendered.ok ? rendered.value : null;
};
const hostile = `a"b'c $(touch /nowhere) \`x\` ; rm\n\\ \${HOME} #`;

test('20,000 values in one stage cost linear time, and the latest flag sets the quoting (T25)', () => {
  const long = `exec ${'a'.repeat(100_000)}`;
  expect(pipeline(long + ' ${v}'.repeat(20_000), 'x')).toBe(long + ' "x"'.repeat(20_000));
  const json = 'openclaw.invoke --args-json \'{"a":"${v}"}\' --tool "${v}" --action b';
  expect(pipeline(json, 'a"b')).toBe(
    'openclaw.invoke --args-json \'{"a":"\'"a\\\\\\"b"\'"}\' --tool "a\\"b" --action b',
  );
});

describe('Value in shell text', () => {
  test.each([
    ['bare', "printf '%s' ${v}"],
    ['in double quotes', 'printf "%s" "${v}"'],
    ['in single quotes', "printf '%s' '${v}'"],
    ['in a substitution in double quotes', 'printf "%s" "$(printf "%s" "${v}")"'],
    ['bare in a substitution', 'printf "%s" "$(printf %s ${v})"'],
    ['after a comment', "# it's\nprintf '%s' ${v}"],
    ['after brackets', '(true) && printf \'%s\' "${v}"'],
    ['of a step', 'printf "%s" $a.stdout'],
    ['after an escaped quote', `printf '%s' \\" >/dev/null; printf '%s' "\${v}"`],
  ])(`reaches the program unchanged, %s (seed ${seed})`, (_, text) => {
    const run = (v: string) =>
      spawnSync('/bin/sh', ['-c', shell(text, v) ?? 'exit 9'], { encoding: 'utf8' }).stdout;
    // A substitution drops trailing line breaks.
    const end = (value: string) => (text.includes('$(') ? value.replace(/\n+$/, '') : value);
    expect(run(hostile)).toBe(hostile);
    const value = fc.string({
      unit: fc.constantFrom(...`'"\\$\`;|&()<>#{}!* \nab1é-=~`),
      minLength: 0,
      maxLength: 12,
    });
    fc.assert(
      fc.property(value, (v) => run(v) === end(v)),
      { numRuns: 12 },
    );
  });

  test.each([
    ['a here-document', 'cat <<END\n${v}\nEND'],
    ['backticks', 'echo `echo ${v}`'],
    ['arithmetic', 'echo $((${v} + 1))'],
    ['a default of a variable', 'echo ${X:-${v}}'],
    ['a comment', 'echo a # ${v}'],
    ['eval', 'eval "echo ${v}"'],
    ['another shell', "sh -c 'echo ${v}'"],
    ['a case in a substitution', 'echo "$(case x in x) echo ${v};; esac)"'],
    ['quotes that differ between shells', "echo $'a' ${v}"],
    ['a shell with options', 'bash -euo pipefail -c "echo ${v}"'],
    ['a shell with long options', 'bash --norc -c "echo ${v}"'],
    ['a shell on two lines', 'bash \\\n  -c "echo ${v}"'],
    ['the shell of the user', '"$SHELL" -c "echo ${v}"'],
    ['eval in quotes', '"eval" "echo ${v}"'],
    ['another computer', '/usr/bin/ssh host "echo ${v}"'],
    ['a lock', 'flock /nowhere -c "echo ${v}"'],
    ['a watch', 'true; watch "echo ${v}"'],
    ['a prepared watch', 'LANG=C time watch "echo ${v}"'],
    ['a shell whose flag is the first of some', 'bash -ce "echo ${v}"'],
    ['a restricted shell', 'rbash -c "echo ${v}"'],
    ['a long flag', 'script --command="echo ${v}" /dev/null'],
    ['a here-string', 'bash <<< "echo ${v}"'],
  ])('is refused in %s unless it is a plain word', (_, text) => {
    expect(shell(text, '$(id)')).toBeNull();
    expect(shell(text, 'x; id')).toBeNull();
    expect(shell(text, 'x\nid')).toBeNull();
    expect(shell(text, 5)).toContain('5');
    expect(unsafePlace(template(text))).toBe('plain');
  });

  test('is allowed after a flag of a program that is named by a variable', () => {
    expect(shell('"$TAR" -czf ${v}', 'my files')).toBe('"$TAR" -czf \'my files\'');
  });

  test('is checked for double evaluation in linear time (T25)', () => {
    const many = 'sh -a x '.repeat(25_000);
    expect(readsTwice(many)).toBe(false);
    expect(readsTwice(`${many} -c`)).toBe(true);
  });

  test.each(['echo "Price: $${v}"', 'echo $${v}', 'echo "$(echo $${v})"', 'echo "$${raw:v}"; echo $${v}'])(
    'is refused right after an unescaped dollar sign: %s (T9)',
    (text) => {
      for (const value of ['(id)', "\\'; id #", 'HOME', 5]) expect(shell(text, value)).toBeNull();
      expect(unsafePlace(template(text))).toBe('dollar');
    },
  );

  test.each([
    ['echo "Price: \\$${v}"', 'Price: $(id)\n'],
    ["echo 'Price: $${v}'", 'Price: $(id)\n'],
    ['echo \\$${v}', '$(id)\n'],
  ])('is allowed after an escaped dollar sign: %s', (text, said) => {
    const ran = spawnSync('/bin/sh', ['-c', shell(text, '(id)') ?? 'exit 9'], { encoding: 'utf8' });
    expect(ran.stdout).toBe(said);
    expect(unsafePlace(template(text))).toBeNull();
  });

  test('is quoted if it is a number right before a redirection', () => {
    expect(shell('echo ${v}>&2', 1)).toBe("echo '1'>&2");
    expect(shell('head -n ${v} <x', 3)).toBe('head -n 3 <x');
  });

  test('is inserted unquoted only in its raw form, and not at all after an escaped dollar sign', () => {
    expect(shell('${raw:v}', 'echo a; echo b')).toBe('echo a; echo b');
    expect(shell('echo \\${v} ${HOME} ${other}', 'x')).toBe('echo \\${v} ${HOME} ${other}');
  });

  test('is written as JSON if it is an object, as an empty argument if missing, and refused with a NUL', () => {
    expect(shell('echo ${v}', { a: 1 })).toBe(`echo '{"a":1}'`);
    expect(shell('echo $a.json.x', 'x')).toBe("echo ''");
    expect(shell('echo ${v}', 'a\0b')).toBeNull();
  });
});

describe('Value in pipeline text', () => {
  test('stays inside one argument', () => {
    expect(pipeline('where k=${v} | head', 'a" | exec "rm')).toBe('where k="a\\" | exec \\"rm" | head');
    expect(pipeline('where "k == ${v}"', 'a"b')).toBe('where "k == a\\"b"');
    expect(pipeline("template --text 'x ${v}'", "it's\\")).toBe(`template --text 'x '"it's\\\\"''`);
    expect(pipeline('exec printf %s ${v}', '$(id)')).toBe('exec printf %s "\\$(id)"');
  });

  test(`parses back to the same text (seed ${seed})`, () => {
    const value = fc.string({ unit: fc.constantFrom(...`'"\\$\`|{} \nab1é-=`), maxLength: 10 });
    const word = (text: string, v: string) => {
      const stages = parsePipeline(pipeline(text, v) ?? '');
      return stages.ok && stages.value.length === 2 ? stages.value[0]?.tokens.at(-1)?.text : null;
    };
    fc.assert(
      fc.property(value, (v) => {
        expect(word('template --text ${v} | head', v)).toBe(v);
        expect(word('template --text "<${v}>" | head', v)).toBe(`<${v}>`);
        expect(word("template --text '<${v}>' | head", v)).toBe(`<${v}>`);
        expect(word('template --text a${v}b | head', v)).toBe(`a${v}b`);
      }),
      { numRuns: 300 },
    );
  });

  test('stays inside a JSON string', () => {
    expect(pipeline(`openclaw.invoke --args-json '{"q":"\${v}"}'`, '","x":"')).toBe(
      `openclaw.invoke --args-json '{"q":"'"\\\\\\",\\\\\\"x\\\\\\":\\\\\\""'"}'`,
    );
  });

  test('is exactly one JSON value outside of a JSON string', () => {
    const stage = (v: Json) =>
      pipeline(`openclaw.invoke --args-json '{"id": \${v}, "q": "a\\"b"}' --tool t`, v);
    const word = (v: Json) => {
      const stages = parsePipeline(stage(v) ?? '');
      return stages.ok ? stages.value[0]?.tokens[2]?.text : null;
    };
    expect(word('1, "admin": true')).toBeNull();
    expect(word('1}')).toBeNull();
    expect(word('text')).toBeNull();
    expect(word(5)).toBe('{"id": 5, "q": "a\\"b"}');
    expect(word({ a: "it's" })).toBe('{"id": {"a":"it\'s"}, "q": "a\\"b"}');
    expect(pipeline('openclaw.invoke --args-json ${v} --tool t', { a: 1 })).toBe(
      'openclaw.invoke --args-json "{\\"a\\":1}" --tool t',
    );
    expect(pipeline('openclaw.invoke --args-json "{\\"q\\": \\"${v}\\"}" --tool t', '","x":"')).toBe(
      'openclaw.invoke --args-json "{\\"q\\": \\"\\\\\\",\\\\\\"x\\\\\\":\\\\\\"\\"}" --tool t',
    );
  });

  test.each([
    "exec --shell 'echo ${v}'",
    'exec --json --shell "echo ${v}"',
    'exec "echo ${v}"',
    'exec --stdin raw "echo ${v}"',
    'exec ${v}',
    'exec sh -c "echo ${v}"',
  ])('is refused where a shell would interpret it: %s', (text) => {
    expect(pipeline(text, 'x; id')).toBeNull();
    expect(pipeline(text, 'plain')).toContain('plain');
  });
});
