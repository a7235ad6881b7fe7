/** The environment variables, with those of `.env` in the working directory where the environment has none. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return process.env;
}
