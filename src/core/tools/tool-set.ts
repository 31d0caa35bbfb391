/**
 * Decides which tools an agent is offered, and why (agent.yml `tools` and the older `runtime.allowed_tools`).
 * Deny overrides everything. An allow-list with only optional tools extends the core tools instead of
 * replacing them. The full shell needs an explicit entry in the agent's file.
 */

import { didYouMean } from '../../contract/did-you-mean.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { toolGroups } from '../policy/assessment.ts';
import { parsePattern, toolFits } from '../policy/patterns.ts';
import type { Tool } from './tool.ts';

export interface ToolNames {
  readonly allow: readonly string[];
  readonly alsoAllow: readonly string[];
  readonly deny: readonly string[];
  /** Tools for subagents; empty for all of the agent's tools. */
  readonly subagents: readonly string[];
  /** Patterns in the official client's syntax, `Name` or `Name(glob)`; used while `allow` is empty. */
  readonly allowedTools: readonly string[];
}

export type ToolFacts = Pick<Tool, 'name' | 'group' | 'core'>;

export interface ToolOffer {
  readonly name: string;
  readonly offered: boolean;
  /** A sentence for people. */
  readonly why: HostText;
}

export interface ToolChoice {
  readonly offers: readonly ToolOffer[];
  /** Listed names that match no tool of this build. */
  readonly unknown: readonly { readonly name: string; readonly suggestion: string | null }[];
}

/** Model APIs allow no dot in tool names such as `puppy.run`. */
const toolNameOf = (pattern: string): string =>
  (parsePattern(pattern)?.name ?? pattern).replace(/^puppy\./, 'puppy_').replace(/^llm-task$/, 'llm_task');

const isGroup = (name: string): boolean =>
  (toolGroups as readonly string[]).includes(name.replace(/^group:/, ''));

/** The group `core` is a property that tools of other groups may have, too. */
function fits(pattern: string, tool: ToolFacts): boolean {
  const name = toolNameOf(pattern);
  if ((name === 'core' || name === 'group:core') && tool.core) return true;
  return toolFits(name, tool.name, tool.group);
}

const namedBy = (patterns: readonly string[], tool: ToolFacts): string | undefined =>
  patterns.find((pattern) => fits(pattern, tool));

/**
 * Whether an entry of the agent's file names exactly this tool, or its whole group. Neither a glob nor another program's
 * name for a confined command grants the shell, and the shell grants no scripts.
 */
const namesExactly =
  ({ name, group }: ToolFacts) =>
  (pattern: string): boolean => {
    const wanted = toolNameOf(pattern);
    return wanted === name || wanted === `group:${group}`;
  };

/** Workflow tools need an entry in the agent's file; in unattended mode, by the tool's own name. */
const namesPuppy =
  ({ name }: ToolFacts, unattended: boolean) =>
  (pattern: string): boolean => {
    const wanted = toolNameOf(pattern).replace(/^mcp__puffo__/, '');
    return wanted === name || (!unattended && /^(group:)?puppy$/.test(wanted));
  };

const yes = (name: string, why: HostText): ToolOffer => ({ name, offered: true, why });
const no = (name: string, why: HostText): ToolOffer => ({ name, offered: false, why });

function byAllowList(tool: ToolFacts, names: ToolNames, keepsCore: boolean): ToolOffer {
  const allowed = namedBy(names.allow, tool);
  if (allowed !== undefined) return yes(tool.name, say('tools.allowedBy', { rule: allowed }));
  if (names.allow.length > 0) {
    return tool.core && keepsCore
      ? yes(tool.name, say('tools.coreTool'))
      : no(tool.name, say('tools.notInAllowList'));
  }
  if (names.allowedTools.length === 0) return yes(tool.name, say('tools.offeredToAll'));
  const old = namedBy(names.allowedTools, tool);
  if (old !== undefined) return yes(tool.name, say('tools.allowedByOld', { rule: old }));
  return tool.group === 'puffo'
    ? yes(tool.name, say('tools.chatAlwaysOffered'))
    : no(tool.name, say('tools.notInAllowedTools'));
}

function optInOffer(
  tool: ToolFacts,
  { allow, alsoAllow }: ToolNames,
  names: (pattern: string) => boolean,
): ToolOffer {
  const named = [...allow, ...alsoAllow].find(names);
  return named === undefined
    ? no(tool.name, say('tools.offByDefault'))
    : yes(tool.name, say('tools.allowedBy', { rule: named }));
}

function offerOf(tool: ToolFacts, names: ToolNames, keepsCore: boolean, unattended: boolean): ToolOffer {
  const denied = namedBy(names.deny, tool);
  if (denied !== undefined) return no(tool.name, say('tools.deniedBy', { rule: denied }));
  if (tool.group === 'shell' || tool.group === 'code') return optInOffer(tool, names, namesExactly(tool));
  if (tool.group === 'puppy') return optInOffer(tool, names, namesPuppy(tool, unattended));
  const also = namedBy(names.alsoAllow, tool);
  return also === undefined
    ? byAllowList(tool, names, keepsCore)
    : yes(tool.name, say('tools.allowedBy', { rule: also }));
}

function unknownNames(tools: readonly ToolFacts[], names: ToolNames): ToolChoice['unknown'] {
  const known = [
    ...tools.map(({ name }) => name),
    ...toolGroups,
    ...toolGroups.map((group) => `group:${group}`),
  ];
  const listed = new Set([...names.allow, ...names.alsoAllow, ...names.deny, ...names.subagents]);
  return [...listed]
    .filter((pattern) => !isGroup(toolNameOf(pattern)) && !tools.some((tool) => fits(pattern, tool)))
    .map((name) => ({ name, suggestion: didYouMean(toolNameOf(name), known) }));
}

/**
 * `subagent`: for an agent that this one starts. `unattended`: no person can be asked, so calls that no
 * sandbox holds are denied.
 */
export function chooseTools(
  tools: readonly ToolFacts[],
  names: ToolNames,
  options: { readonly subagent?: boolean; readonly unattended?: boolean } = {},
): ToolChoice {
  const keepsCore = !tools.some((tool) => tool.core && namedBy(names.allow, tool) !== undefined);
  const offers = tools.map((tool) => {
    const offer = offerOf(tool, names, keepsCore, options.unattended === true);
    if (!offer.offered || options.subagent !== true || names.subagents.length === 0) return offer;
    return namedBy(names.subagents, tool) === undefined ? no(tool.name, say('tools.notForSubagents')) : offer;
  });
  return { offers, unknown: unknownNames(tools, names) };
}

/** Whether an agent's program gets a tool that it has of its own: unless a list of agent.yml leaves it out. */
export function offersOwnTool(tool: ToolFacts, { allow, alsoAllow, deny, allowedTools }: ToolNames): boolean {
  const listed = allow.length > 0 ? allow : allowedTools;
  if (namedBy(deny, tool) !== undefined) return false;
  return listed.length === 0 || namedBy([...listed, ...alsoAllow], tool) !== undefined;
}
