import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { keysOf } from '../../../test/fakes/keys-of.ts';
import { processorMs, promised } from '../../../test/fakes/patience.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { readYaml, writeYaml } from '../../core/lib/yaml-document.ts';
import { createDisk } from '../disk/disk.ts';
import { defaultDaemonYaml, parseDaemonConfig } from './daemon-schema.ts';
import { DaemonFile } from './daemon-settings.ts';
import { environmentKey } from './environment-keys.ts';

const root = path.join(import.meta.dirname, '../../..');
let home: string;
eachTestInFolder('kennel-config-', (made) => {
  home = made;
});

function make(takeApiKey: (provider: string, key: string) => Result<void> = () => ok(undefined)) {
  const log = createRecordingLog();
  const settings = new DaemonFile({ home, log, disk: createDisk(createSeededRandom(3)), takeApiKey });
  return { settings, log, file: path.join(home, 'daemon.yml') };
}

describe('daemon.yml', () => {
  it('has the same initial content as puffo-agent writes', () => {
    const vectors = JSON.parse(
      readFileSync(path.join(root, 'test/fixtures/conformance/puffo-local.json'), 'utf8'),
    );
    expect(defaultDaemonYaml).toBe(vectors.daemon_yml_defaults);
    const { settings, file } = make();
    expect(settings.yaml()).toEqual(ok(defaultDaemonYaml));
    expect(settings.setDefaultProvider('ollama')).toEqual(ok(undefined));
    expect(readFileSync(file, 'utf8')).toBe(defaultDaemonYaml.replace('anthropic\n', 'ollama\n'));
    expect(settings.defaultProvider()).toBe('ollama');
  });

  it('has the same settings if the file is missing as if it has its initial content', () => {
    const without = make();
    const config = without.settings.config();
    expect([without.settings.error(), without.log.lines]).toEqual([null, []]);
    writeFileSync(without.file, defaultDaemonYaml);
    expect(make().settings.config()).toEqual(config);
  });

  it('has an example with every key, whose values are the defaults', () => {
    const example = readYaml(readFileSync(path.join(root, 'resources/daemon.example.yml'), 'utf8'));
    const defaults = readYaml(defaultDaemonYaml);
    if (!example.ok || !defaults.ok) throw new Error('not YAML');
    expect(parseDaemonConfig(example.value, ['ollama'])).toEqual(
      parseDaemonConfig(defaults.value, ['ollama']),
    );
    expect(keysOf(Object(example.value.value))).toEqual(
      expect.arrayContaining(keysOf(Object(defaults.value.value))),
    );
  });

  it('has an example whose commented optional settings are valid as well', () => {
    const text = readFileSync(path.join(root, 'resources/daemon.example.yml'), 'utf8');
    // Uncomments the commented settings, but not sentences.
    const whole = readYaml(text.replaceAll(/^# (?=(?: *- |(?: {2})*[\w/*-]+:(?: |$)))/gm, ''));
    if (!whole.ok) throw new Error(whole.error.message);
    const parsed = parseDaemonConfig(whole.value, ['ollama']);
    expect(parsed).toMatchObject({
      ok: true,
      value: { policy: { rules: [{}, {}] }, prices: expect.anything() },
    });
    const none = readYaml('{}');
    const defaults = none.ok ? parseDaemonConfig(none.value, []) : none;
    if (!defaults.ok) throw new Error(defaults.error.message);
    const shown = keysOf(Object(whole.value.value)).join('\n');
    for (const key of keysOf(defaults.value)) expect(shown).toContain(key);
  });

  it('keeps comments and unknown keys when a value is set, and Kennel keys only while they have a value', () => {
    const { settings, file } = make();
    writeFileSync(file, '# mine\nopenai:\n  model: gpt-4o # cheap\nelsewhere: [1]\n');
    settings.setProvider('openai', { baseUrl: 'http://127.0.0.1:1/v1' });
    settings.setProvider('ollama', { model: 'llama3.2' });
    expect(settings.provider('openai')).toEqual({ model: 'gpt-4o', baseUrl: 'http://127.0.0.1:1/v1' });
    expect(settings.provider('ollama')).toEqual({ model: 'llama3.2', baseUrl: '' });
    settings.setProvider('openai', { baseUrl: '' });
    const text = readFileSync(file, 'utf8');
    for (const kept of ['# mine', '# cheap', 'elsewhere:']) expect(text).toContain(kept);
    expect(text).not.toContain('base_url');
    expect(settings.setProvider('nobody', { model: 'x' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
  });

  it.each([
    ['default_provider: [', 'line 1, column 20'],
    ['segment_chars: many\n', 'line 1'],
    ['# x\n\nbridge:\n  port: 70000\n', 'line 4'],
    ['reconcile_interval_seconds: 0.1\n', 'line 1'],
    ['a: &x 1\nb: *x\n', 'line 1, column 7'],
    ['ollama: 5\n', 'line 1'],
    ['- a\n', 'line 1, column 1'],
  ])('keeps the last good settings over %j and reports the line (F20, T25)', (bad, line) => {
    const { settings, file } = make();
    writeFileSync(file, 'segment_chars: 77\n');
    expect(settings.segmentChars()).toBe(77);
    writeFileSync(file, bad);
    expect(settings.segmentChars()).toBe(77);
    expect(settings.error()).toMatchObject({ code: 'invalid_input', where: `${file}, ${line}` });
    expect(settings.setDefaultProvider('openai').ok).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(bad);
    writeFileSync(file, 'segment_chars: 78\n');
    expect(settings.segmentChars()).toBe(78);
    expect(settings.error()).toBeNull();
  });

  it('moves API keys into the wrapped store once it is available (T18)', () => {
    let open = false;
    const taken: string[] = [];
    const { settings, file, log } = make((provider, key) => {
      if (!open) return err(textError('locked', 'locked'));
      taken.push(`${provider}=${key}`);
      return ok(undefined);
    });
    writeFileSync(file, 'openai:\n  api_key: sk-secret # work\n  model: m\n');
    expect(settings.error()).toMatchObject({ code: 'locked', where: file });
    expect(readFileSync(file, 'utf8')).toContain('sk-secret');
    open = true;
    settings.reload();
    expect(settings.error()).toBeNull();
    expect(taken).toEqual(['openai=sk-secret']);
    expect(readFileSync(file, 'utf8')).not.toContain('sk-secret');
    expect(settings.provider('openai').model).toBe('m');
    expect(JSON.stringify(log.lines)).not.toContain('sk-secret');
  });
});

describe('API keys from the environment', () => {
  it('are read by the providers’ variable names, ignoring empty values', () => {
    const env = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: ' ', GOOGLE_API_KEY: 'g', GEMINI_API_KEY: '' };
    expect(
      ['anthropic', 'openai', 'google', 'ollama', '__proto__'].map((name) => environmentKey(name, env)),
    ).toEqual(['a', null, 'g', null, null]);
    expect(environmentKey('google', { ...env, GEMINI_API_KEY: 'first' })).toBe('first');
  });
});

describe('YAML documents', () => {
  const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node')),
    ),
  })).node;

  it('round-trip arbitrary data', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (data) => {
        const read = readYaml(writeYaml(data));
        expect(read.ok && JSON.parse(JSON.stringify(read.value.value))).toEqual(
          JSON.parse(JSON.stringify(data)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('change one value and nothing else', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { noNullPrototype: true }),
        fc.string({ unit: 'grapheme' }),
        (data, text) => {
          const read = readYaml(`# head\n${writeYaml(data)}`);
          if (!read.ok) throw new Error(read.error.message);
          read.value.set(['set_here'], text);
          const again = readYaml(read.value.text());
          expect(again.ok && JSON.parse(JSON.stringify(again.value.value))).toEqual(
            JSON.parse(JSON.stringify({ ...data, set_here: text })),
          );
          expect(read.value.text()).toContain('# head');
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a: &a [x]\nb: [*a, *a]\n'],
    [`a: &a [${'x,'.repeat(9)}]\nb: &b [*a,*a]\nc: [*b,*b]\n`],
    [`a: ${'['.repeat(5000)}`],
    [`${'- '.repeat(5000)}x`],
    [`a:\n${Array.from({ length: 4000 }, (_, n) => `${' '.repeat(n + 1)}a:`).join('\n')}`],
    ['a: 1\na: 2\n'],
    ['%YAML 1.2\n---\na: 1\n---\nb: 2\n'],
    ['a: "\n'],
    ['\t\ta: 1'],
  ])('report YAML bombs and invalid YAML as an error without throwing (T25): %#', (text) => {
    const started = processorMs();
    const read = readYaml(text);
    expect(read).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', where: expect.stringMatching(/^line \d/) },
    });
    expect(processorMs() - started).toBeLessThan(promised(2_000));
  });

  it('treat __proto__ as a plain key (T26)', () => {
    const read = readYaml('__proto__:\n  polluted: true\nconstructor: x\n');
    expect(read.ok && Object.keys(read.value.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
