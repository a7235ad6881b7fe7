/** Removes recap from the files outside the feature's folder that show it: each passage, by its beginning and end. */
export const removal = {
  edits: {
    'commands/guild/setup.ts': [
      ['import { buttonRow }', '\n'],
      ['import type { Reply }', '\n'],
      ['      return withCommunityPosts(', '\n', '      return reply;\n'],
      ["/** Says where the community's posts", '\n}\n'],
    ],
    'src/command-kit/link-driver.ts': [
      ['features, ', 'person', 'person'],
      ['  isAlone = true,', '\n'],
      ['    isAlone && (await features.recap', '\n'],
      ['await linkOwn(username, context', ';', 'await linkOwn(username, context);'],
      ["    { command: 'recap'", '\n'],
    ],
  },
};
