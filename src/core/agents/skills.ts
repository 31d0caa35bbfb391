/**
 * Skills: instructions for one kind of work each, of which an agent is told the names and reads the rest when it needs
 * it. What a skill says about itself comes from the head of its SKILL.md; any text is a skill, whatever its head holds.
 */
import { z } from 'zod';
import { cutCodePoints } from '../lib/text.ts';
import { strip } from '../lib/whitespace.ts';
import { readYaml } from '../lib/yaml-document.ts';

/** Also the folder's name (spec §7); MCP servers are named by the same rule. */
export const skillName = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** In an agent's folder, beside its workspace: what it was allowed to install. */
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

/** Its head, without the lines of three dashes; null: it has none. */
function headOf(text: string): string | null {
  return /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, maxHead))?.[1] ?? null;
}

/** Where the head says nothing, the first line of text that is no heading. */
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

/** For the system prompt; empty without skills. */
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
