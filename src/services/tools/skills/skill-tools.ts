/**
 * Skills as tools, with the names and defaults of spec §7: an agent installs, reads and removes instructions
 * for kinds of work. The operator sees the whole new instructions, and they are never allowed automatically.
 */
import { z } from 'zod';
import { maxSkill, skillName } from '../../../core/agents/skills.ts';
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

const lineOf = ({ name: of, description, own }: WorkspaceSkill): string =>
  `${of} (${own ? 'agent' : 'system'})${description === '' ? '' : `: ${description}`}`;

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

function createReadTool(installedSkills: WorkspaceSkills): Tool {
  return defineTool({
    ...common,
    replay: 'safe',
    name: 'read_skill',
    reveals: ['settings'],
    description: 'The whole text of one of your skills.',
    input: z.strictObject({ name }),
    assess: ({ name: of }) => reads(say('actions.readSkill', { name: of })),
    async execute({ name: of }) {
      const text = await installedSkills.read(of);
      return text.ok ? textOutput(text.value || '[The skill is empty.]') : failureOutput(text.error);
    },
  });
}

export const createSkillTools = (installedSkills: WorkspaceSkills): readonly Tool[] => [
  createInstallTool(installedSkills),
  createUninstallTool(installedSkills),
  createListTool(installedSkills),
  createReadTool(installedSkills),
];
