/**
 * Skills: instructions for one kind of work each. The prompt lists their names, and the agent reads the rest
 * on demand. The description comes from the head of SKILL.md; any text is a valid skill.
 */
import { z } from 'zod';
import { cutCodePoints } from '../lib/text.ts';
import { strip } from '../lib/whitespace.ts';
import { readYaml } from '../lib/yaml-document.ts';

/** Also the name of the folder (spec §7); MCP servers follow the same rule. */
export const skillName = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** List of approved installations, in the agent's folder beside its workspace. */
export const installedFile = 'installed.json';
/** Code points. */
export const maxSkill = 64 * 1024;

export interface Skill {
  readonly name: string;
  /** One line; may be empty. */
  readonly description: string;
}

const maxHead = 4_096;
const maxDescription = 300;
const maxListed = 50;

const headSchema = z.object({ description: z.string().nullish() });
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

const oneLine = (text: string): string => {
  const line = strip(text.replaceAll(hidden, ' '));
  const cut = cutCodePoints(line, maxDescription);
  return cut === line ? line : `${cut}…`;
};

/** Head without its lines of three dashes; `null` if missing. */
function headOf(text: string): string | null {
  return /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, maxHead))?.[1] ?? null;
}

/** Without a description in the head, the first line of text that is no heading. */
export function skillOf(name: string, text: string): Skill {
  const head = headOf(text);
  const read = head === null ? null : readYaml(head);
  const said = read?.ok ? headSchema.safeParse(read.value.value) : null;
  const described = said?.success ? oneLine(said.data.description ?? '') : '';
  if (described !== '') return { name, description: described };
  const body = head === null ? text : text.slice(text.indexOf('\n---', 3) + 4);
  const first = body.split('\n').find((line) => strip(line) !== '' && !/^\s*(#|---)/.test(line));
  return { name, description: oneLine(first ?? '') };
}

/** Text for the system prompt; empty without skills. */
export function skillList(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const lines = skills
    .slice(0, maxListed)
    .map(({ name, description }) => `- ${name}${description === '' ? '' : `: ${description}`}`);
  const more = skills.length - lines.length;
  return [
    'Instructions for kinds of work that come up now and then. When one of them fits what you are about to do, read it whole with read_skill first.',
    '',
    ...lines,
    ...(more > 0 ? [`- and ${more} more; list_skills shows them all.`] : []),
  ].join('\n');
}
