/**
 * Skills as tools, with the names and defaults of spec §7: an agent installs, reads and removes instructions
 * for kinds of work. The operator sees the whole new instructions, and they are never allowed automatically.
 */
import { z } from 'zod';
import { maxSkill, skillContent, skillName } from '../../../core/agents/skills.ts';
import { codePointLength } from '../../../core/lib/text.ts';
import { unifiedDiff } from '../../../core/lib/unified-diff.ts';
import type { Assessment, CallPreview } from '../../../core/policy/assessment.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import {
  blockedBy,
  failureOutput,
  previewBody,
  textOutput,
  toolErrorOutput,
} from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { changedMeanwhile, contentKey, createSeenBefore } from '../files/seen-before.ts';
import type { WorkspaceSkill, WorkspaceSkills } from './workspace-skills.ts';

const where = say('approvals.itsSkills');
const name = z
  .string()
  .regex(skillName, 'up to 64 small letters, digits and "-", not beginning with "-"')
  .describe('Name of the skill');
const content = z
  .string()
  .min(1)
  .refine((text) => codePointLength(text) <= maxSkill, `at most ${maxSkill} characters`)
  .describe('The whole SKILL.md: best a head with name and description between lines of ---, then Markdown');

const common = { group: 'puffo', core: false, timeoutMs: 30_000 } as const;
const changes = { ...common, executionMode: 'sequential', replay: 'safe' } as const;

const reads = (title: HostText): Assessment => ({
  risk: 'low',
  effects: [],
  preview: { kind: 'text', title, body: englishText(title), where },
});
const diffOf = (title: HostText, body = ''): CallPreview => ({
  kind: 'diff',
  title,
  where,
  ...previewBody(body),
});

function createInstallTool(installedSkills: WorkspaceSkills): Tool {
  const seen = createSeenBefore();
  return defineTool({
    ...changes,
    name: 'install_skill',
    reveals: [],
    refusalReveals: ['settings'],
    description:
      'Keeps instructions for a kind of work as a skill, new or in place of one you installed. From your next turn on you are told its name and description, and read it with read_skill when it fits.',
    input: z.strictObject({ name, content }),
    async assess(args, context) {
      const title = say('actions.installSkill', { name: args.name });
      const before = await installedSkills.ownText(args.name);
      if (!before.ok) return blockedBy(before.error, diffOf(title));
      seen.note(contentKey(context, args.name), args.name, before.value, context.anew);
      const diff = unifiedDiff(before.value ?? '', args.content) || 'No change: it says this already.';
      return {
        risk: 'medium',
        effects: [{ kind: 'write', path: installedSkills.place(args.name) }],
        preview: diffOf(title, diff),
      };
    },
    async execute(args, context) {
      const before = await installedSkills.ownText(args.name);
      if (!before.ok) return failureOutput(before.error);
      if (!seen.stillSo(contentKey(context, args.name), args.name, before.value))
        return toolErrorOutput(changedMeanwhile);
      const installed = await installedSkills.install(args.name, args.content);
      if (!installed.ok) return failureOutput(installed.error);
      return textOutput(`Installed "${args.name}". It counts from your next turn on.`);
    },
  });
}

function createUninstallTool(installedSkills: WorkspaceSkills): Tool {
  return defineTool({
    ...changes,
    name: 'uninstall_skill',
    reveals: [],
    refusalReveals: ['settings'],
    description: 'Removes a skill that you installed.',
    input: z.strictObject({ name }),
    async assess(args) {
      const title = say('actions.removeSkill', { name: args.name });
      const before = await installedSkills.ownText(args.name);
      if (!before.ok) return blockedBy(before.error, diffOf(title));
      return {
        risk: 'medium',
        effects: [{ kind: 'delete', path: installedSkills.place(args.name) }],
        preview: diffOf(title, unifiedDiff(before.value ?? '', '')),
      };
    },
    async execute(args) {
      const gone = await installedSkills.uninstall(args.name);
      return gone.ok ? textOutput(`Removed "${args.name}".`) : failureOutput(gone.error);
    },
  });
}

/** Text and description of a skill that is not accepted are untrusted (T9). */
function lineOf({ name: of, description, own, known, off, folder }: WorkspaceSkill): string {
  const owner = own ? 'agent' : 'system';
  if (off) return `${of} (${owner}): switched off by the operator`;
  if (!known) return `${of} (${owner}): not accepted by the operator yet; its files are in ${folder}`;
  return `${of} (${owner})${description === '' ? '' : `: ${description}`}`;
}

function createListTool(installedSkills: WorkspaceSkills): Tool {
  return defineTool({
    ...common,
    replay: 'safe',
    name: 'list_skills',
    reveals: ['settings'],
    description:
      'Your skills. Those marked "agent" you installed yourself and can change or remove; those marked "system" were put there for you.',
    input: z.strictObject({}),
    assess: () => reads(say('actions.listSkills')),
    async execute() {
      const skills = await installedSkills.list();
      if (!skills.ok) return failureOutput(skills.error);
      return textOutput(skills.value.map(lineOf).join('\n') || '[No skills.]');
    },
  });
}

/** With the skills of the moment the model can only name one of these. */
function nameSchema(names: readonly string[]) {
  const [first, ...others] = names;
  return first === undefined ? name : z.enum([first, ...others]).describe('Name of the skill');
}

function createReadTool(installedSkills: WorkspaceSkills, names: readonly string[]): Tool {
  const shown = createShownSkills();
  return defineTool({
    ...common,
    replay: 'safe',
    name: 'read_skill',
    reveals: ['settings'],
    description:
      'The whole text of one of your skills, and the names of its other files, which you read or run when the text says so.',
    input: z.strictObject({
      name: nameSchema(names),
      again: z.boolean().default(false).describe('true if its text is no longer in your conversation'),
    }),
    assess: ({ name: of }) => reads(say('actions.readSkill', { name: of })),
    async execute({ name: of, again }, context) {
      const found = await installedSkills.read(of);
      if (!found.ok) return failureOutput(found.error);
      const { skill, text } = found.value;
      if (shown.again(context.turnId, `${of} ${skill.digest}`) && !again)
        return textOutput(
          `You have read "${of}" in this turn already, and it has not changed. Set again to true if its text is gone.`,
        );
      return textOutput(skillContent(skill, text, skill.files));
    },
  });
}

const keptTurns = 100;

/** Which skills a turn has read, so that it does not pay for a text twice. */
function createShownSkills(): { again(turnId: string, skill: string): boolean } {
  const turns = new Map<string, Set<string>>();
  return {
    again(turnId, skill) {
      const read = turns.get(turnId) ?? new Set();
      turns.delete(turnId);
      turns.set(turnId, read);
      for (const oldest of turns.keys()) {
        if (turns.size <= keptTurns) break;
        turns.delete(oldest);
      }
      if (read.has(skill)) return true;
      read.add(skill);
      return false;
    },
  };
}

/** `names`: the skills that may be read, for a model that is told them; absent for programs, which look them up. */
export const createSkillTools = (
  installedSkills: WorkspaceSkills,
  names: readonly string[] = [],
): readonly Tool[] => [
  createInstallTool(installedSkills),
  createUninstallTool(installedSkills),
  createListTool(installedSkills),
  createReadTool(installedSkills, names),
];
