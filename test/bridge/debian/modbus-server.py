"""A Modbus TCP device, made with pymodbus: an encoder and a server that share no code with the bridge.

Usage: modbus-server.py PORT. Each line of the standard input, "ADDRESS BITS ORDER VALUE TORN", writes a value into the holding registers: as a
whole, or (high-first, low-first) its high words and its lowest word 15 ms after each other.
"""
import sys
import threading
import time
import types

# pymodbus's servers import the packages of serial lines, which Debian's package only recommends. This one speaks TCP.
for name in ("serial", "serial_asyncio"):
    sys.modules.setdefault(name, types.ModuleType(name))
vars(sys.modules["serial_asyncio"]).setdefault("create_serial_connection", None)

from pymodbus.constants import Endian
from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.payload import BinaryPayloadBuilder
from pymodbus.server import StartTcpServer

ORDERS = {
    "ABCD": (Endian.Big, Endian.Big),
    "CDAB": (Endian.Big, Endian.Little),
    "BADC": (Endian.Little, Endian.Big),
    "DCBA": (Endian.Little, Endian.Little),
}
HOLDING = 3

device = ModbusSlaveContext(hr=ModbusSequentialDataBlock(0, [0] * 2000), zero_mode=True)


def write_values():
    for line in sys.stdin:
        address, bits, order, value, torn = line.split()
        byte_order, word_order = ORDERS[order]
        builder = BinaryPayloadBuilder(byteorder=byte_order, wordorder=word_order)
        getattr(builder, f"add_{bits}bit_uint")(int(value))
        words = dict(enumerate(builder.to_registers(), start=int(address)))
        lowest = min(words) if word_order == Endian.Little else max(words)
        parts = [{lowest: words[lowest]}, {place: word for place, word in words.items() if place != lowest}]
        if torn == "whole":
            device.setValues(HOLDING, int(address), list(words.values()))
        else:
            for part in parts if torn == "low-first" else reversed(parts):
                for place, word in part.items():
                    device.setValues(HOLDING, place, [word])
                time.sleep(0.015)
        print("written", flush=True)


threading.Thread(target=write_values, daemon=True).start()
StartTcpServer(context=ModbusServerContext(slaves=device, single=True), address=("127.0.0.1", int(sys.argv[1])))
