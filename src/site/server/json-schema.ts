import { z } from 'zod';

/** A JSON Schema 2020-12, or any other JSON object. */
export type Json = { [key: string]: unknown };

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the JSON Schema of what a client may send. Fields whose schema accepts anything and transforms it state their
 * type, default, examples and `isRequired` with `.meta()` in the contract.
 */
export function inputSchema(schema: z.ZodType): Json {
  const { required, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // zod leaves default and examples out of the input side of a transform; the contracts state what the client sends.
    override: ({ zodSchema, jsonSchema }) => {
      const meta = z.globalRegistry.get(zodSchema);
      if (meta?.['default'] !== undefined) jsonSchema.default = meta['default'];
      if (Array.isArray(meta?.['examples'])) jsonSchema.examples = meta['examples'];
    },
  });
  const requiredFields = new Set(required);
  const properties: Record<string, Json> = {};
  for (const [name, property] of Object.entries(json.properties ?? {})) {
    const { isRequired, ...described }: Json = isJson(property) ? property : {};
    if (isRequired === true) requiredFields.add(name);
    properties[name] = described;
  }
  const { $schema: _, ...rest } = json;
  // OpenAPI readers dislike an empty `required`.
  return requiredFields.size > 0 ? { ...rest, properties, required: [...requiredFields] } : { ...rest, properties };
}

/** Returns the JSON Schema of what the server sends. */
export function outputSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return json;
}
