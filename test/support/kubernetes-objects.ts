/**
 * Writes the objects of `deploy/kubernetes.yaml` as TypeScript, which `tsc` compares with the types of Kubernetes: names of
 * fields that there are not, missing ones and values of another kind. The argument is the file to write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const Kind = z.object({ apiVersion: z.string(), kind: z.string() });

const [, , to = ''] = process.argv;
const text = readFileSync(new URL('../../deploy/kubernetes.yaml', import.meta.url), 'utf8');
const objects = parseAllDocuments(text).map((document): unknown => document.toJS());
const lines = objects.map((object, index) => {
  const { apiVersion, kind } = Kind.parse(object);
  const type = `import('kubernetes-types/${apiVersion.replace(/\.k8s\.io\//, '/')}').${kind}`;
  return `export const object${index}: ${type} = ${JSON.stringify(object, null, 2)};`;
});
writeFileSync(to, `${lines.join('\n')}\n`);
