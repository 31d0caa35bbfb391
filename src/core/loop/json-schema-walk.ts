/** State of one check of JSON data against a JSON Schema. */
import type { JsonSchema } from '../models/model-ports.ts';
import type { SchemaWork } from './json-schema-work.ts';

export interface SchemaIssue {
  /** Dotted path, `(arguments)` for the root. */
  readonly path: string;
  readonly message: string;
}

export interface Walk {
  readonly root: JsonSchema;
  readonly issues: SchemaIssue[];
  readonly patterns: { fits(source: string, text: string, path: string): boolean };
  readonly work: SchemaWork;
  /** Limits recursion, because data is finite but a `$ref` may refer to itself. */
  readonly depth: number;
}
