import { z } from 'zod';
import { INPUT_NOTES, OUTPUT_NOTES } from './field-notes.ts';

/** A JSON Schema 2020-12 (or any other JSON object) of which we read only a few keywords. */
export type Json = { [key: string]: unknown };

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a client may send. Fields whose schema takes anything are described by hand and required only where that is said. */
export function inputSchema(schema: z.ZodType): Json {
  const json = toJson(schema, 'input');
  const properties = isJson(json['properties']) ? json['properties'] : {};
  const required: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const { isRequired = false, ...note } = INPUT_NOTES[name] ?? {};
    properties[name] = { ...(isJson(property) ? property : {}), ...note };
    if (isRequired) required.push(name);
  }
  // OpenAPI readers dislike an empty `required`.
  const { required: _, ...rest } = json;
  return required.length > 0 ? { ...rest, properties, required } : { ...rest, properties };
}

/** What the server sends, every field with its note. */
export function outputSchema(schema: z.ZodType): Json {
  return withNotes(toJson(schema, 'output'));
}

function toJson(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function withNotes(json: Json): Json {
  const properties = json['properties'];
  const items = json['items'];
  return {
    ...json,
    ...(isJson(items) && { items: withNotes(items) }),
    ...(isJson(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => {
          const note = OUTPUT_NOTES[name];
          return [name, { ...withNotes(isJson(property) ? property : {}), ...(note && { description: note }) }];
        }),
      ),
    }),
  };
}
