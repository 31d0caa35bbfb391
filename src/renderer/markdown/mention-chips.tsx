/** Shows mentions of a room's members as chips: the name, with the handle on hover. */
import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import { findMentions, type NamedMember } from '../../contract/mentions.ts';
import { visibleLine } from '../format/visible-text.ts';

interface TreeNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, string>;
  children?: TreeNode[];
}

const nobody: readonly NamedMember[] = [];
const Members = createContext(nobody);

const sameMembers = (a: readonly NamedMember[], b: readonly NamedMember[]): boolean =>
  a.length === b.length &&
  a.every((one, index) => one.slug === b[index]?.slug && one.displayName === b[index].displayName);

/** Members whose mentions are chips below it; keeps the list while no name changes, so that no row redraws. */
export function MentionScope({
  members,
  children,
}: {
  members: readonly NamedMember[];
  children: ReactNode;
}) {
  const kept = useRef(members);
  if (!sameMembers(kept.current, members)) kept.current = members;
  return <Members value={kept.current}>{children}</Members>;
}

/** Element of a chip in the Markdown tree; Markdown itself never creates it. */
export const mentionTag = 'mark';

function withChips(node: TreeNode, members: readonly NamedMember[]): void {
  const { children } = node;
  if (children === undefined || node.tagName === 'code' || node.tagName === 'a') return;
  node.children = children.flatMap((child) => {
    if (child.type === 'text') return pieces(child.value ?? '', members);
    withChips(child, members);
    return [child];
  });
}

function pieces(value: string, members: readonly NamedMember[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  let at = 0;
  for (const { from, to, slugs } of findMentions(value, members)) {
    const [slug = ''] = slugs;
    if (slugs.length > 1) continue;
    nodes.push({ type: 'text', value: value.slice(at, from) });
    const name = members.find((member) => member.slug === slug)?.displayName ?? slug;
    nodes.push({
      type: 'element',
      tagName: mentionTag,
      properties: { title: `@${visibleLine(slug)}` },
      children: [{ type: 'text', value: `@${visibleLine(name)}` }],
    });
    at = to;
  }
  nodes.push({ type: 'text', value: value.slice(at) });
  return nodes;
}

/** Plugins of the Markdown renderer for the members in scope. */
export function useMentionPlugin() {
  const members = useContext(Members);
  return useMemo(
    () => (members.length === 0 ? [] : [() => (tree: TreeNode) => withChips(tree, members)]),
    [members],
  );
}
