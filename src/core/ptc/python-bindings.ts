/**
 * A Python module with a typed function for each tool: `tools.<server>.<tool>(name=value)`. All arguments are named. A
 * parameter whose name is no identifier, or a keyword of Python, has a safe name.
 */
import { isRecord } from '../../contract/is-record.ts';
import { type Binding, freeIdentifier, safeIdentifier } from './binding-names.ts';
import { PythonTypes, pythonString } from './python-types.ts';
import { membersOf, type ShapeMember, shapeOf } from './schema-shape.ts';
import { commentText } from './schema-types.ts';

/** Functions of the module itself. */
const ownNames = ['search', 'describe', 'ls', 'cat', 'call', 'ToolError'] as const;

export interface PythonParameter {
  readonly name: string;
  /** Name of the argument that the tool gets. */
  readonly argument: string;
}

interface NamedMember extends PythonParameter {
  readonly member: ShapeMember;
}

function namedMembers(members: readonly ShapeMember[]): readonly NamedMember[] {
  const taken = new Set<string>();
  return members.map((member) => {
    const name = freeIdentifier(safeIdentifier(member.name), taken);
    taken.add(name);
    return { name, argument: member.name, member };
  });
}

/** Parameters of the function of a tool. */
export function pythonParameters({ tool }: Binding): readonly PythonParameter[] {
  return namedMembers(membersOf(shapeOf(tool.parameters))?.members ?? []);
}

function docText({ tool, path }: Binding, members: readonly NamedMember[]): string {
  const lines = members.flatMap(({ name, member }) => {
    const about = commentText(member.description);
    return about === '' ? [] : [`    ${name}: ${about}`];
  });
  const original = tool.name === path.join('__') ? [] : [`Tool: ${commentText(tool.name)}`];
  const about = [commentText(tool.description), ...original].filter((line) => line !== '');
  return pythonString([...about, ...(lines.length === 0 ? [] : ['Arguments:', ...lines])].join('\n'));
}

function functionLines(binding: Binding, types: PythonTypes, indent: string): string {
  const { tool, path } = binding;
  const object = membersOf(shapeOf(tool.parameters));
  const members = namedMembers(object?.members ?? []);
  const title = path.join(' ');
  types.startSchema();
  const parameters = members.map(({ name, member }) => {
    const type = pythonString(types.of(member.shape, `${title} ${member.name}`));
    return member.isRequired ? `${name}: ${type}` : `${name}: ${type} = _unset`;
  });
  const isOpen = object ? object.isOpen : !isRecord(tool.parameters.properties);
  const more = freeIdentifier('_more', new Set(members.map(({ name }) => name)));
  const result = tool.output === undefined ? '_t.Any' : types.ofSchema(tool.output, `${title} result`);
  const star = parameters.length === 0 ? [] : ['*'];
  const given = members.map(({ name, argument }) => `${pythonString(argument)}: ${name}`);
  const call = [...given, ...(isOpen ? [`**${more}`] : [])].join(', ');
  const head = [...star, ...parameters, ...(isOpen ? [`**${more}: "_t.Any"`] : [])].join(', ');
  return [
    `def ${path.at(-1) ?? '_'}(${head}) -> ${pythonString(result)}:`,
    `    ${docText(binding, members)}`,
    `    return _call(${pythonString(tool.name)}, {${call}})`,
  ]
    .map((line) => `${indent}${line}`)
    .join('\n');
}

const head = `"""Tools as functions. Generated: changes are lost."""
import typing as _t

try:
    from typing import NotRequired as _NotRequired
except ImportError:
    from typing import Optional as _NotRequired

from _kennel import ToolError, call, cat, describe, ls, search
from _kennel import call as _call, unset as _unset
`;

/** The module \`tools\`. */
export function pythonBindings(bindings: readonly Binding[]): string {
  const own = bindings.filter(({ path }) => path.length === 1);
  const servers = [...new Set(bindings.flatMap(({ path }) => path.slice(0, -1)))];
  const types = new PythonTypes([...ownNames, ...servers, ...own.flatMap(({ path }) => path)]);
  const functions = own.map((each) => functionLines(each, types, ''));
  const classes = servers.map((server, at) => {
    const all = bindings.filter(({ path }) => path.length === 2 && path[0] === server);
    const lines = all.map((each) => `    @staticmethod\n${functionLines(each, types, '    ')}`);
    return `class _Server${at + 1}:\n${lines.join('\n\n')}\n\n\n${server} = _Server${at + 1}()`;
  });
  return [head, ...types.declarations, ...functions, ...classes].join('\n\n').concat('\n');
}
