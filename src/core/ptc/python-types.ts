/**
 * Python types from JSON Schema: `TypedDict`, `Literal`, `Union`, `Optional` and `NotRequired`. Objects become named
 * types, so a type may contain itself. The schema is untrusted: every name and text in the result is an identifier that
 * was made safe, or a quoted string.
 */
import type { JsonSchema } from '../models/model-ports.ts';
import { freeIdentifier } from './binding-names.ts';
import { type Shape, shapeOf } from './schema-shape.ts';
import { commentText } from './schema-types.ts';

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1, 40))
    .join('')
    .replace(/^(?=[0-9]|$)/, 'T');

/** A string literal of Python: JSON escapes are a subset of Python's. */
export const pythonString = (text: string): string => JSON.stringify(text);

const literalText = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? pythonString(value) : String(value);
};

const isLiteral = (value: string | number | boolean | null): boolean =>
  typeof value !== 'number' || Number.isSafeInteger(value);

/** Types of one module. */
export class PythonTypes {
  readonly #taken: Set<string>;
  readonly #declarations: string[] = [];
  /** Names of the objects behind references of the schema that is being written. */
  #references = new Map<string, string>();

  /** `taken`: names of the module. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** `references` of a shape count until the next schema. `name` is the wish for the name of an object. */
  of(shape: Shape, name: string): string {
    switch (shape.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'any':
        return '_t.Any';
      case 'never':
        return '_t.NoReturn';
      case 'literal':
      case 'union':
        return this.#union(shape.type === 'union' ? shape.of : [shape], name);
      case 'all':
        return this.of(shape.of[0] ?? { type: 'any' }, name);
      case 'tuple':
        return shape.of.length === 0
          ? '_t.List[_t.Any]'
          : `_t.Tuple[${shape.of.map((each, at) => this.of(each, `${name} ${at + 1}`)).join(', ')}]`;
      case 'array':
        return `_t.List[${this.of(shape.of, `${name} item`)}]`;
      case 'record':
        return `_t.Dict[str, ${this.of(shape.of, `${name} value`)}]`;
      case 'object':
        return this.#object(shape, this.#name(name));
      case 'reference':
        return this.#reference(shape, name);
      case 'recursive':
        return this.#references.get(shape.path) ?? '_t.Any';
    }
  }

  ofSchema(schema: JsonSchema, name: string): string {
    this.startSchema();
    return this.of(shapeOf(schema), name);
  }

  /** References of another schema are other types. */
  startSchema(): void {
    this.#references = new Map();
  }

  #name(wanted: string): string {
    const name = freeIdentifier(pascal(wanted).slice(0, 100), this.#taken);
    this.#taken.add(name);
    return name;
  }

  #reference({ path, to }: Extract<Shape, { type: 'reference' }>, name: string): string {
    const known = this.#references.get(path);
    if (known !== undefined) return known;
    if (to.type !== 'object') return this.of(to, name);
    const made = this.#name(`${name} ${path.split('/').at(-1) ?? ''}`);
    this.#references.set(path, made);
    return this.#object(to, made);
  }

  #object({ members }: Extract<Shape, { type: 'object' }>, name: string): string {
    const lines = members.map((member) => {
      const type = this.of(member.shape, `${name} ${member.name}`);
      const about = commentText(member.description);
      const value = pythonString(member.isRequired ? type : `_NotRequired[${type}]`);
      return `    ${pythonString(member.name)}: ${value},${about === '' ? '' : `  # ${about}`}`;
    });
    this.#declarations.push([`${name} = _t.TypedDict(${pythonString(name)}, {`, ...lines, '})'].join('\n'));
    return name;
  }

  #union(shapes: readonly Shape[], name: string): string {
    const flat = shapes.flatMap((shape) => (shape.type === 'union' ? shape.of : [shape]));
    const literals: string[] = [];
    const types: string[] = [];
    let isOptional = false;
    for (const shape of flat) {
      const value = shape.type === 'literal' ? shape.value : undefined;
      if (shape.type === 'null' || value === null) isOptional = true;
      else if (value !== undefined && isLiteral(value)) literals.push(literalText(value));
      else types.push(value === undefined ? this.of(shape, `${name} ${types.length + 1}`) : 'float');
    }
    const all = [
      ...(literals.length === 0 ? [] : [`_t.Literal[${[...new Set(literals)].join(', ')}]`]),
      ...new Set(types),
    ];
    const type = all.length > 1 ? `_t.Union[${all.join(', ')}]` : (all[0] ?? 'None');
    return isOptional && all.length > 0 ? `_t.Optional[${type}]` : type;
  }
}
