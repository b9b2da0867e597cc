/** @type {import('next').NextConfig} */
const config = {
  // From scripts/dashboard/dashboard-build.ts.
  generateBuildId: () => process.env['DASHBOARD_BUILD_ID'] ?? null,
  reactCompiler: true,
  experimental: {
    // Builds are faster than with the Babel plugin.
    turbopackRustReactCompiler: true,
    // Nothing reads source maps, and writing them is slow.
    turbopackSourceMaps: false,
    // Writing the cache takes longer than reading it saves.
    turbopackFileSystemCacheForBuild: false,
  },
  // No page optimizes images. The endpoint would cache a file for every URL that anyone makes up,
  // until half of the disk is full.
  images: { unoptimized: true },
  poweredByHeader: false,
  devIndicators: false,
  // The development server prints the arguments of actions: passwords, set-up tokens.
  logging: { serverFunctions: false },
  // `npm run check` judges types; a production install lacks what the tests' types need.
  typescript: { ignoreBuildErrors: true },
};

export default config;
