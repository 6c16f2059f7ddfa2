/** Pixels from the edges: the outermost may be blended with the paper. */
const CORNER = 3;

/**
 * Fills the frame of a loaded picture, its parent, with the colour of the picture's corner: no band of another colour stands around it. A lazily
 * loaded chunk: pictures arrive after the first view.
 */
export function fillFrame(image: HTMLImageElement): void {
  const pen = image.naturalWidth > 0 && document.createElement('canvas').getContext('2d');
  if (!pen) return;
  pen.drawImage(image, -CORNER, -CORNER);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
  const frame = image.parentElement;
  if (frame && alpha === 255) frame.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
}
