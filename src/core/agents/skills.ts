/**
 * Skills: instructions for one kind of work each. The prompt lists their names and descriptions, and the agent reads
 * the rest on demand. Only skills that a person accepted are listed; see `skill-file.ts` for their form.
 */
import { cutCodePoints } from '../lib/text.ts';

/** Also the name of the folder (spec §7); MCP servers follow the same rule. */
export const skillName = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** List of accepted skills, in the agent's folder beside its workspace. */
export const installedFile = 'installed.json';
/** Code points. */
export const maxSkill = 64 * 1024;

export interface Skill {
  readonly name: string;
  /** One line; may be empty. */
  readonly description: string;
}

export interface LocatedSkill extends Skill {
  /** Its folder, relative to the workspace. */
  readonly folder: string;
}

const maxShown = 500;
const maxListed = 50;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** A value between the tags of the prompt, which it can neither close nor open. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);

function entryOf({ name, description, folder }: LocatedSkill): string {
  const cut = cutCodePoints(description, maxShown);
  return [
    '<skill>',
    `<name>${escaped(name)}</name>`,
    `<description>${escaped(cut === description ? cut : `${cut}…`)}</description>`,
    `<location>${escaped(folder)}/SKILL.md</location>`,
    '</skill>',
  ].join('\n');
}

/** Text for the system prompt; empty without skills. */
export function skillList(skills: readonly LocatedSkill[]): string {
  if (skills.length === 0) return '';
  const entries = skills.slice(0, maxListed).map(entryOf);
  const more = skills.length - entries.length;
  return [
    'Instructions for kinds of work that come up now and then. When one of them fits what you are about to do, read it whole with read_skill first.',
    '',
    '<available_skills>',
    ...entries,
    '</available_skills>',
    ...(more > 0 ? [`${more} more skills exist; list_skills shows them all.`] : []),
  ].join('\n');
}

/** The text of a skill as the result of `read_skill`, with the other files of its folder by name. */
export function skillContent(skill: LocatedSkill, text: string, files: readonly string[]): string {
  const others = files.filter((path) => path !== 'SKILL.md');
  return [
    `<skill_content name="${skill.name}">`,
    text,
    `Paths in this skill are relative to its folder, ${skill.folder}.`,
    ...(others.length === 0
      ? []
      : [
          '<skill_resources>',
          ...others.map((path) => `<file>${escaped(path)}</file>`),
          '</skill_resources>',
        ]),
    '</skill_content>',
  ].join('\n');
}
