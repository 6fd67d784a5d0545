"""Uploads are decoded and written anew; what is no image, or too large a one, is refused."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from kb.errors import InvalidImage
from kb.images import MAX_BYTES, MAX_FRAMES, CleanImage, clean_image


def encoded(
    format: str, *, size: tuple[int, int] = (30, 20), mode: str = "RGB", **options: object
) -> bytes:
    out = BytesIO()
    Image.new(mode, size, 128 if mode in ("L", "1", "P") else None).save(out, format, **options)
    return out.getvalue()


def opened(image: CleanImage) -> Image.Image:
    return Image.open(BytesIO(image.content))


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header says that it is this large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(
    ("format", "media_type"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")],
)
def test_image_keeps_its_format_and_size(format: str, media_type: str) -> None:
    image = clean_image(encoded(format))
    assert (image.media_type, image.width, image.height) == (media_type, 30, 20)
    assert (opened(image).format, opened(image).size) == (format, (30, 20))


def test_place_where_a_photo_was_taken_is_dropped_and_it_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = "my garden"
    exif.get_ifd(0x8825)[1] = "N"
    image = clean_image(encoded("JPEG", exif=exif, comment=b"secret"))
    assert (image.width, image.height) == (20, 30)
    assert not opened(image).getexif()
    assert b"garden" not in image.content
    assert b"secret" not in image.content


def test_text_and_trailing_bytes_of_a_png_are_dropped() -> None:
    info = PngInfo()
    info.add_text("Comment", "<script>alert(1)</script>")
    image = clean_image(encoded("PNG", pnginfo=info) + b"<script>alert(2)</script>")
    assert b"script" not in image.content


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_every_mode_of_picture_can_be_kept(mode: str) -> None:
    format = "TIFF" if mode == "CMYK" else "PNG"
    if format == "TIFF":
        assert clean_image(encoded("JPEG", mode="CMYK")).media_type == "image/jpeg"
    else:
        assert clean_image(encoded("PNG", mode=mode)).media_type == "image/png"


def test_transparent_colour_of_a_palette_stays() -> None:
    picture, out = Image.new("P", (4, 4), 128), BytesIO()
    picture.putpalette([level for level in range(256) for _ in "rgb"])
    picture.save(out, "PNG", transparency=128)
    image = clean_image(out.getvalue())
    assert opened(image).convert("RGBA").getpixel((0, 0))[3] == 0


def test_profile_is_applied_and_dropped() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    image = clean_image(encoded("JPEG", icc_profile=profile))
    assert "icc_profile" not in opened(image).info
    assert clean_image(encoded("JPEG", icc_profile=b"broken")).media_type == "image/jpeg"


@pytest.mark.parametrize("format", ["GIF", "WEBP"])
def test_animation_keeps_its_frames(format: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
    out = BytesIO()
    frames[0].save(out, format, save_all=True, append_images=frames[1:], duration=70, loop=0)
    kept = opened(clean_image(out.getvalue()))
    assert getattr(kept, "n_frames", 1) == 3


def test_endless_animation_is_refused() -> None:
    frames = [Image.new("L", (2, 2), n % 251) for n in range(MAX_FRAMES + 2)]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    with pytest.raises(InvalidImage, match="too long"):
        clean_image(out.getvalue())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"GIF89a/*" + b"\0" * 40,
        encoded("BMP"),
        encoded("TIFF"),
        encoded("PNG")[:50],
        encoded("JPEG")[:200],
        png_claiming(10, 10),
    ],
    ids=[
        "empty",
        "svg",
        "html",
        "gif-and-script",
        "bmp",
        "tiff",
        "half-png",
        "half-jpeg",
        "no-pixels",
    ],
)
def test_what_is_no_whole_image_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidImage, match="no image"):
        clean_image(data)


@pytest.mark.parametrize("size", [(8_000, 5_001), (60_000, 60_000)])
def test_bomb_is_refused_by_its_header_before_it_is_unpacked(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidImage, match="40 megapixels"):
        clean_image(png_claiming(*size))


def test_more_than_ten_megabytes_are_refused_unread() -> None:
    with pytest.raises(InvalidImage, match="10 MB"):
        clean_image(b"\0" * (MAX_BYTES + 1))
