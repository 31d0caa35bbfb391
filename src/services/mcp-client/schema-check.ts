/**
 * Checks structured results against the schema of their tool, with Kennel's own interpreter: it generates no
 * code, fetches nothing, and its work is bounded whatever pattern a server sends (T25).
 */
import type { jsonSchemaValidator } from '@modelcontextprotocol/client';
import { checkAgainst } from '../../core/loop/json-schema.ts';

export const schemaCheck: jsonSchemaValidator = {
  getValidator: <T>(schema: object) => {
    return (input: unknown) => {
      const { issues } = checkAgainst(schema as Readonly<Record<string, unknown>>, input);
      const [first] = issues;
      return first === undefined
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: `${first.path} ${first.message}` };
    };
  },
};
