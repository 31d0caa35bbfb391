/**
 * SKILL.md by the AgentSkills standard: `validateSkill` reports every breach, `readSkillFile` reads what it can and says
 * what it had to guess. The text is an outsider's until a person accepts it; here it is only read.
 */
import { z } from 'zod';
import { placedMessage } from '../../contract/located-message.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { cutCodePoints } from '../lib/text.ts';
import { strip } from '../lib/whitespace.ts';
import { readYaml } from '../lib/yaml-document.ts';

const maxHead = 16 * 1024;
const maxName = 64;
const maxDescription = 1024;
const maxCompatibility = 500;
const maxShownLicense = 200;
const maxBodyLines = 500;

const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const;
/** Only the letters that the text of the standard names; its validator takes letters of every language. */
const standardName = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export interface SkillHead {
  /** Empty if missing. */
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  readonly allowedTools: readonly string[];
}

export interface SkillFile {
  readonly head: SkillHead;
  readonly body: string;
  readonly warnings: readonly HostText[];
}

const headPattern = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

type Parts =
  | { readonly kind: 'whole'; readonly head: string; readonly body: string }
  | { readonly kind: 'none' | 'open'; readonly body: string };

function partsOf(text: string): Parts {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!/^---[ \t]*\r?\n/.test(plain)) return { kind: 'none', body: plain };
  const match = headPattern.exec(plain.slice(0, maxHead));
  if (!match) return { kind: 'open', body: plain };
  return { kind: 'whole', head: match[1] ?? '', body: plain.slice(match[0].length) };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsSchema = z.record(z.string(), z.unknown());

function fieldsOf(head: string): Result<Fields, HostText> {
  // The line of dashes counts, so that a place in the head is one in the file.
  const read = readYaml(`
${head}`);
  if (!read.ok) return err(placedMessage(read.error));
  const fields = fieldsSchema.safeParse(read.value.value);
  return fields.success ? ok(fields.data) : err(say('skills.noHead'));
}

const scalarText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? strip(String(value))
    : '';

function nameFaults(given: unknown, folder: string): HostText[] {
  const name = scalarText(given).normalize('NFKC');
  if (name === '') return [say('skills.noName')];
  const faults: HostText[] = [];
  if ([...name].length > maxName) faults.push(say('skills.nameTooLong', { max: maxName }));
  if (!standardName.test(name))
    faults.push(say('skills.nameLetters', { name: cutCodePoints(name, maxName) }));
  if (folder.normalize('NFKC') !== name)
    faults.push(say('skills.nameOfFolder', { name: cutCodePoints(name, maxName), folder }));
  return faults;
}

function descriptionFaults(given: unknown): HostText[] {
  const text = scalarText(given);
  if (text === '') return [say('skills.noDescription')];
  return [...text].length > maxDescription ? [say('skills.descriptionTooLong', { max: maxDescription })] : [];
}

function optionalFaults(fields: Fields): HostText[] {
  const { compatibility, license, metadata, 'allowed-tools': allowed } = fields;
  const faults: HostText[] = [];
  if (compatibility !== undefined) {
    const length = typeof compatibility === 'string' ? [...compatibility].length : 0;
    if (length < 1 || length > maxCompatibility)
      faults.push(say('skills.badCompatibility', { max: maxCompatibility }));
  }
  if (license !== undefined && scalarText(license) === '') faults.push(say('skills.badLicense'));
  if (allowed !== undefined && typeof allowed !== 'string') faults.push(say('skills.badAllowedTools'));
  if (
    metadata !== undefined &&
    !z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).safeParse(metadata).success
  )
    faults.push(say('skills.badMetadata'));
  return faults;
}

/** Every breach of the standard; empty for a valid skill. `folder`: the name of the folder. */
export function validateSkill(folder: string, text: string): readonly HostText[] {
  const parts = partsOf(text);
  if (parts.kind !== 'whole') return [say(parts.kind === 'none' ? 'skills.noHead' : 'skills.openHead')];
  const read = fieldsOf(parts.head);
  if (!read.ok) return [read.error];
  const fields = read.value;
  const unknown = Object.keys(fields).filter((key) => !knownKeys.some((known) => known === key));
  return [
    ...(unknown.length === 0
      ? []
      : [say('skills.unknownKeys', { keys: cutCodePoints(unknown.sort().join(', '), 200) })]),
    ...nameFaults(fields.name, folder),
    ...descriptionFaults(fields.description),
    ...optionalFaults(fields),
  ];
}

/** Recommendations of the standard that are not required. */
export function adviseSkill(text: string): readonly HostText[] {
  const lines = partsOf(text).body.split('\n').length;
  return lines > maxBodyLines ? [say('skills.longBody', { lines, max: maxBodyLines })] : [];
}

/** Puts plain values in quotes, because a bare `: ` in a value is the most common mistake of authors. */
const quoted = (head: string): string =>
  head
    .split('\n')
    .map((line) => {
      const [, key, value] = /^([A-Za-z-]+):[ \t]+([^'"|>[{\s].*?)[ \t\r]*$/.exec(line) ?? [];
      return key === undefined || value === undefined ? line : `${key}: ${JSON.stringify(value)}`;
    })
    .join('\n');

interface LooseFields {
  readonly fields: Fields;
  readonly warnings: readonly HostText[];
}

function looseFields(head: string): LooseFields {
  const read = fieldsOf(head);
  if (read.ok) return { fields: read.value, warnings: [] };
  const again = fieldsOf(quoted(head));
  if (!again.ok) return { fields: {}, warnings: [read.error] };
  return { fields: again.value, warnings: [say('skills.quotedValues')] };
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

function oneLine(text: string, max: number): string {
  const line = strip(text.replaceAll(hidden, ' '));
  const cut = cutCodePoints(line, max);
  return cut === line ? line : `${cut}…`;
}

/** Without a description in the head, the first line of text that is no heading. */
function firstLine(body: string): string {
  return body.split('\n').find((line) => strip(line) !== '' && !/^\s*(#|---)/.test(line)) ?? '';
}

const headFaults = { none: 'skills.noHead', open: 'skills.openHead' } as const;

/** Reads any text; `folder` is the name that counts, because agents and the operator name the skill by it. */
export function readSkillFile(folder: string, text: string): SkillFile {
  const parts = partsOf(text);
  const { fields, warnings } =
    parts.kind === 'whole'
      ? looseFields(parts.head)
      : { fields: {}, warnings: [say(headFaults[parts.kind])] };
  const described = oneLine(scalarText(fields.description), maxDescription);
  const allowed = fields['allowed-tools'];
  const head: SkillHead = {
    name: scalarText(fields.name),
    description: described === '' ? oneLine(firstLine(parts.body), maxDescription) : described,
    license: oneLine(scalarText(fields.license), maxShownLicense),
    compatibility: oneLine(scalarText(fields.compatibility), maxCompatibility),
    allowedTools: typeof allowed === 'string' ? allowed.split(/\s+/).filter((tool) => tool !== '') : [],
  };
  const known = warnings.length > 0 ? [] : validateSkill(folder, text);
  return { head, body: parts.body, warnings: [...warnings, ...known, ...adviseSkill(text)] };
}
