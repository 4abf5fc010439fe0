/** What a phone needs to put the portal on its home screen: icons, and the manifest that names them. Nothing works offline. */
export interface IconFile {
  readonly name: string;
  readonly size: number;
  /** To the edges of its square, so that the phone can cut its own shape out. */
  readonly fills: boolean;
  readonly url: URL;
}

/** `scripts/icons.ts` draws them. */
export const iconFiles: readonly IconFile[] = [
  { name: "icon-192.png", size: 192, fills: false, url: new URL("./icons/icon-192.png", import.meta.url) },
  { name: "icon-512.png", size: 512, fills: false, url: new URL("./icons/icon-512.png", import.meta.url) },
  { name: "full-512.png", size: 512, fills: true, url: new URL("./icons/full-512.png", import.meta.url) },
  { name: "apple-180.png", size: 180, fills: true, url: new URL("./icons/apple-180.png", import.meta.url) },
];

const appleIcon = "apple-180.png";

interface NamedFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The files, and what leads to them in the head of the page. */
export async function homeScreen(assetsPath: string): Promise<{ readonly files: NamedFile[]; readonly head: string }> {
  const icons = await Promise.all(
    iconFiles.map(async (icon) => {
      const bytes = await Bun.file(icon.url).bytes();
      return { ...icon, file: hashed(icon.name, "image/png", bytes) };
    }),
  );
  const manifest = {
    name: "Odograph",
    short_name: "Odograph",
    id: "/portal/",
    start_url: "/portal/",
    scope: "/portal/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: "#0b6e69",
    icons: icons
      .filter(({ name }) => name !== appleIcon)
      .map(({ file, size, fills }) => ({
        src: assetsPath + file.name,
        sizes: `${size}x${size}`,
        type: "image/png",
        purpose: fills ? "maskable" : "any",
      })),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(manifest));
  const manifestFile = hashed("odograph.webmanifest", "application/manifest+json", bytes);
  const apple = icons.find(({ name }) => name === appleIcon)?.file.name ?? "";
  const head =
    `<link rel="manifest" href="${assetsPath}${manifestFile.name}">` +
    `<link rel="apple-touch-icon" href="${assetsPath}${apple}">`;
  return { files: [...icons.map(({ file }) => file), manifestFile], head };
}

/** As the bundler names what may be cached for ever. */
function hashed(name: string, contentType: string, bytes: Uint8Array<ArrayBuffer>): NamedFile {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 8);
  return { name: name.replace(/\.(\w+)$/, `-${hash}.$1`), contentType, bytes };
}
